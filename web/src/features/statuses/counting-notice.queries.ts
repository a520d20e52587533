/** Lazily loaded notice that asks administrators which statuses count for commission. */
export const loadCountingNotice = async () => (await import('./CountingNotice.tsx')).CountingNotice;
