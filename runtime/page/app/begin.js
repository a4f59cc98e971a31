// The page starts here: what it lacks is said, what it carries is unpacked.

async function begin() {
  const reason = lacking();
  if (reason) {
    document.body.append(element("p", { class: "lacking", id: "lacking" }, reason));
    return;
  }
  const script = element("script");
  script.textContent = new TextDecoder().decode(await unpacked(find("three").textContent));
  document.head.append(script); // it defines THREE, which the application below needs from its first line
  await application()(JSON.parse(find("data").textContent));
}

begin().catch((error) => {
  tell(`The page could not start: ${error.message}`);
  throw error;
});
