// Runs before the first paint, while the page's own scripts are still coming. A file of its own, because the page allows
// no inline script; plain and small, because all else waits for it.
(() => {
  const stored = (storage, key) => {
    try {
      return window[storage].getItem(key);
    } catch {
      // Storage is blocked.
      return null;
    }
  };

  // Without a choice the colours follow the system.
  const choice = stored('localStorage', 'theme');
  const dark =
    choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.mantineColorScheme = dark ? 'dark' : 'light';

  const token = stored('localStorage', 'token');
  // Who looks at the product as somebody else carries that in each call: the page asks by itself then.
  if (token === null || stored('sessionStorage', 'view-as') !== null) return;

  // What the page will ask for first, word for word; `platform/early-answers.ts` hands the answers on.
  const answers = new Map();
  const ask = (address, headers = {}) => {
    const controller = new AbortController();
    const { signal } = controller;
    const answer = fetch(address, { headers: { authorization: `Bearer ${token}`, ...headers }, signal });
    // Whoever takes the answer hears of it.
    answer.catch(() => undefined);
    answers.set(address, { answer, token, abort: (reason) => controller.abort(reason) });
  };
  window.earlyAnswers = answers;
  const inBackground = { 'x-background': '1' };
  ask('/api/auth/me', inBackground);

  if (location.pathname !== '/data-entry') return;

  // The build names them; `npm run dev` has none.
  const { script, styles } = document.currentScript.dataset;
  if (script !== undefined) {
    const link = document.createElement('link');
    document.head.append(Object.assign(link, { rel: 'modulepreload', crossOrigin: '', href: script }));
  }
  // A link would complain in the console where another screen opens after all.
  if (styles !== undefined) {
    fetch(styles)
      .then((answer) => answer.text())
      .catch(() => undefined);
  }

  const now = new Date();
  const asked = new URLSearchParams(location.search);
  const month = /^\d{4}-\d\d$/.exec(asked.get('month') ?? '')?.[0];
  const present = `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, '0')}`;
  const search = asked.get('search');
  const rows = new URLSearchParams(search ? { search } : { month: month ?? present });
  ask('/api/deals/options');
  ask(`/api/deals?${rows}&shape=rows&limit=100`);
})();
