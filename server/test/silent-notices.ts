import type { Notices } from '../src/platform/live/notices.ts';

/** A disconnected event bus for testing one service: it receives no events, so the service caches nothing. */
export const silentNotices: Notices = {
  on: () => {},
  send: () => Promise.resolve(),
  emit: () => {},
  areHeard: () => false,
  close: () => Promise.resolve(),
};
