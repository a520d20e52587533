import type { Notices } from '../src/platform/live/notices.ts';

/** For a service by itself: it hears nobody, so it believes nothing that it has read before. */
export const deafNotices: Notices = {
  on: () => {},
  send: () => Promise.resolve(),
  areHeard: () => false,
  close: () => Promise.resolve(),
};
