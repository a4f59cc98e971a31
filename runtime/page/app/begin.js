// The page starts here: what it lacks is said, what it carries is unpacked.

async function begin() {
  const missing = lacking();
  const drawn = String(missing) === "WebGL 2" && hasContext("2d");
  if (missing.length) tellLacking(missing, drawn);
  if (missing.length && !drawn) return;
  const script = element("script");
  script.textContent = new TextDecoder().decode(await unpacked(find("three").textContent));
  document.head.append(script); // it defines THREE, which the application below needs from its first line
  await application()(JSON.parse(find("data").textContent));
}

begin().catch((error) => {
  tell(`The page could not start: ${error.message}`);
  throw error;
});
