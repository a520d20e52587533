// How soon what one person does is seen by the others, and whether by all of those who may see it and by nobody else.
import { createTimes } from './times.mjs';

/**
 * Follows changes of rows from their answers to the events at all listeners. An event may come before the answer has been
 * read: that is no time at all.
 */
export function createNews(staff, wayOf) {
  const changes = new Map();
  const times = {};
  const timesOf = (way) => (times[way] ??= createTimes());
  const viewers = new Map();
  let [forbidden, expected, heard] = [0, 0, 0];

  const changeOf = (id, version) => {
    const key = `${id}:${version}`;
    let change = changes.get(key);
    if (!change) changes.set(key, (change = { answeredAt: undefined, heardBy: [] }));
    return change;
  };

  /** So many people see the rows of a dealership. */
  const viewersOf = (dealershipId) => {
    if (!viewers.has(dealershipId))
      viewers.set(dealershipId, staff.filter(({ sees }) => sees.has(dealershipId)).length);
    return viewers.get(dealershipId);
  };

  function note(change, { place, at }) {
    if (place === change.by) return;
    if (!staff[place].sees.has(change.dealershipId)) forbidden += 1;
    else {
      heard += 1;
      if (change.counts) timesOf(wayOf(change.by, place)).add(at - change.answeredAt);
    }
  }

  return {
    /** A change was answered. Only those that count are timed; whether everybody hears of it is asked of all. */
    answered({ id, version, dealershipId, by, counts }) {
      const change = changeOf(id, version);
      Object.assign(change, { answeredAt: performance.now(), dealershipId, by, counts });
      expected += viewersOf(dealershipId) - 1;
      for (const early of change.heardBy) note(change, early);
      change.heardBy = [];
    },
    heard(place, data) {
      const { entity, recordId, version } = JSON.parse(data);
      if (entity !== 'deal') return;
      const change = changeOf(recordId, version);
      const listener = { place, at: performance.now() };
      if (change.answeredAt === undefined) change.heardBy.push(listener);
      else note(change, listener);
    },
    /** By the way that they took: what `wayOf` answers. */
    times,
    /** What has not been heard yet, and what was heard by people who may not. */
    missing: () => expected - heard,
    /** So often somebody heard of something. */
    told: () => heard,
    forbidden: () => forbidden,
  };
}
