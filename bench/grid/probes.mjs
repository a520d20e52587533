// Functions that run inside the measured page. They return `{ done }` with a promise, so that the caller can wait until
// the listeners exist before pressing a key.

/** Measures from the next key until the editor has the focus, in ms. */
export function watchEditor() {
  const done = new Promise((resolve) => {
    const onFocus = (event) => {
      if (!event.target.matches?.('.grid-editor')) return;
      document.removeEventListener('focusin', onFocus);
      resolve(performance.now() - pressed);
    };
    let pressed = 0;
    document.addEventListener('keydown', (event) => (pressed = event.timeStamp), {
      capture: true,
      once: true,
    });
    document.addEventListener('focusin', onFocus);
  });
  return { done };
}

/** Measures from the next Enter until the frame is painted in which a cell shows the text, in ms. */
export function watchCommit(text) {
  const frame = () => new Promise(requestAnimationFrame);
  // A message posted in a frame's callback is delivered after that frame has been painted.
  const painted = () =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', resolve, { once: true });
      port1.start();
      port2.postMessage(null);
    });
  const shows = () =>
    [...document.querySelectorAll('[role="gridcell"]')].some((cell) => cell.textContent === text);
  const pressed = new Promise((resolve) => {
    document.addEventListener('keydown', (event) => resolve(event.timeStamp), { capture: true, once: true });
  });
  const done = pressed.then(async (started) => {
    do await frame();
    while (!shows());
    await painted();
    return performance.now() - started;
  });
  return { done };
}
