// Measures the delay until other users see a change, and checks that only users with access see it.
import { createHistogram } from './times.mjs';

/**
 * Tracks changes from their responses to the events at all listeners. An event may precede the response: its latency is
 * 0.
 */
export function createLatencyTracker(staff, wayOf) {
  const changes = new Map();
  const times = {};
  const timesOf = (way) => (times[way] ??= createHistogram());
  const viewers = new Map();
  let [forbidden, expected, received] = [0, 0, 0];

  const changeOf = (id, version) => {
    const key = `${id}:${version}`;
    let change = changes.get(key);
    if (!change) changes.set(key, (change = { acknowledgedAt: undefined, receivedBy: [] }));
    return change;
  };

  /** Returns how many users see the rows of a dealership. */
  const viewersOf = (dealershipId) => {
    if (!viewers.has(dealershipId))
      viewers.set(dealershipId, staff.filter(({ sees }) => sees.has(dealershipId)).length);
    return viewers.get(dealershipId);
  };

  function note(change, { place, at }) {
    if (place === change.by) return;
    if (!staff[place].sees.has(change.dealershipId)) forbidden += 1;
    else {
      received += 1;
      if (change.counts) timesOf(wayOf(change.by, place)).add(at - change.acknowledgedAt);
    }
  }

  return {
    /** Records an acknowledged change. Latency is measured only if `counts`; delivery is checked always. */
    acknowledged({ id, version, dealershipId, by, counts }) {
      const change = changeOf(id, version);
      Object.assign(change, { acknowledgedAt: performance.now(), dealershipId, by, counts });
      expected += viewersOf(dealershipId) - 1;
      for (const early of change.receivedBy) note(change, early);
      change.receivedBy = [];
    },
    received(place, data) {
      const { entity, recordId, version } = JSON.parse(data);
      if (entity !== 'deal') return;
      const change = changeOf(recordId, version);
      const listener = { place, at: performance.now() };
      if (change.acknowledgedAt === undefined) change.receivedBy.push(listener);
      else note(change, listener);
    },
    /** Latencies by path, as named by `wayOf`. */
    times,
    /** Events not received yet, and events received without permission. */
    missing: () => expected - received,
    forbidden: () => forbidden,
  };
}
