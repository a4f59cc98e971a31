// Live models in frames are dark and light as the page around them is.
(() => {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const theme = () => {
    const chosen = document.body.dataset.theme;
    return chosen === "dark" || chosen === "light" ? chosen : dark.matches ? "dark" : "light";
  };
  const frames = () => document.querySelectorAll(".live-frame iframe");
  const tell = () => frames().forEach((frame) => frame.contentWindow?.postMessage({ theme: theme() }, "*"));
  addEventListener("DOMContentLoaded", () => {
    for (const frame of frames()) frame.src = `${frame.dataset.src}#panel=closed&theme=${theme()}`;
    new MutationObserver(tell).observe(document.body, { attributeFilter: ["data-theme"] });
    dark.addEventListener("change", tell);
  });
})();
