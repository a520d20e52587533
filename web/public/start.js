// Runs before the first paint, while the page's own scripts are still loading. A separate file, because the CSP forbids
// inline scripts; plain and small, because it blocks rendering.
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
  // While impersonating, each request has a header for it: the page then sends all requests itself.
  if (token === null || stored('sessionStorage', 'view-as') !== null) return;

  // The first requests of the page, exactly as it sends them; `platform/prefetched-responses.ts` returns the responses.
  const responses = new Map();
  const prefetch = (address, headers = {}) => {
    const controller = new AbortController();
    const { signal } = controller;
    const response = fetch(address, { headers: { authorization: `Bearer ${token}`, ...headers }, signal });
    // The caller that uses the response handles its failure.
    response.catch(() => undefined);
    responses.set(address, { response, token, abort: (reason) => controller.abort(reason) });
  };
  window.prefetchedResponses = responses;
  const inBackground = { 'x-background': '1' };
  prefetch('/api/auth/me', inBackground);

  if (location.pathname !== '/data-entry') return;

  // Set by the build; absent under `npm run dev`.
  const { script, styles } = document.currentScript.dataset;
  if (script !== undefined) {
    const link = document.createElement('link');
    document.head.append(Object.assign(link, { rel: 'modulepreload', crossOrigin: '', href: script }));
  }
  // A preload link would log a console warning where another screen opens.
  if (styles !== undefined) {
    fetch(styles)
      .then((response) => response.text())
      .catch(() => undefined);
  }

  const now = new Date();
  const params = new URLSearchParams(location.search);
  const month = /^(19|20)\d\d-(0[1-9]|1[0-2])$/.exec(params.get('month') ?? '')?.[0];
  const present = `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, '0')}`;
  const search = /^[\P{Cc}\t]{1,120}$/u.exec(params.get('search') ?? '')?.[0];
  const filter = params.get('filter');
  const rows = new URLSearchParams(search ? { search } : { month: month ?? present });
  prefetch('/api/deals/options');
  // Whether a filter in the address is valid for the user is not known yet.
  if (!filter) prefetch(`/api/deals?${rows}&shape=rows&limit=100`);
})();
