// The keyboard belongs to the wizard from the first moment, and to the way back when it has ended.
function focus(selector) {
  const found = document.querySelector(selector);
  if (found) found.focus();
  else requestAnimationFrame(() => focus(selector));
}

window.addEventListener("load", () => {
  focus(".xterm-helper-textarea");
  new MutationObserver(() => {
    if (document.body.classList.contains("-closed")) focus(".ended a");
  }).observe(document.body, { attributes: true, attributeFilter: ["class"] });
});
