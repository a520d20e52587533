import type { EventBus } from '../src/platform/live/event-bus.ts';

/** A disconnected event bus for testing one service: it receives no events, so the service caches nothing. */
export const silentEventBus: EventBus = {
  on: () => {},
  send: () => Promise.resolve(),
  emit: () => {},
  isListening: () => false,
  close: () => Promise.resolve(),
};
