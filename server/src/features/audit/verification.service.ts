import type { Answer } from '@forecourt/contract/api';
import type { AuditProblem } from '@forecourt/contract/audit';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { sealHash, signatureOf } from './chain.ts';
import { inOneMoment } from './sealing.queries.ts';
import * as queries from './verification.queries.ts';

/** Entries that are looked at in one statement: well within the time after which the database ends it. */
const AT_ONCE = 20_000;

/** A call answers after this long at the latest, with what it has got to (product.md section 3: within 12 s). */
const BUDGET_MS = 6000;

/** So many problems are told; one is enough to know. */
const MOST_PROBLEMS = 100;

/** Rows told of the newest entries, which are few. */
const MOST_UNSEALED = 10_000;

type Verification = Answer<'GET /audit-logs/verify'>;

const START = Buffer.alloc(32);

/**
 * Compares every entry with its seal and every seal with the one before it (product.md section 9). Long logs are
 * gone through in several calls, each from where the one before ended.
 */
export const createVerification =
  (secrets: Secrets) =>
  (db: Db, after: number): Promise<Verification> =>
    inOneMoment(db, async (tx) => {
      const problems: AuditProblem[] = [];
      const report = (kind: AuditProblem['kind'], seal: number | null, entry: number | null = null): void => {
        if (problems.length >= MOST_PROBLEMS) return;
        problems.push({
          kind,
          seal: seal === null ? null : String(seal),
          entry: entry === null ? null : String(entry),
        });
      };
      const counted = { seals: 0, entries: 0, otherKey: 0 };
      const until = performance.now() + BUDGET_MS;
      let before = await startBehind(tx, after);
      let isDone = false;
      while (!isDone && performance.now() < until) {
        const seals = await queries.readSeals(tx, before.number, AT_ONCE);
        for (const seal of seals) {
          if (!follows(secrets, before, seal)) report('seal', seal.number);
          if (seal.key_id !== secrets.keyId) counted.otherKey += 1;
          counted.seals += 1;
          counted.entries += seal.entries;
          before = seal;
        }
        const [first, last] = [seals.at(0), seals.at(-1)];
        if (first && last) {
          const broken = await queries.findBroken(tx, first.number, last.number, MOST_PROBLEMS);
          for (const { kind, seal, entry_id } of broken) report(kind, seal, entry_id);
        } else isDone = true;
      }
      if (!isDone) return { ...counted, problems, next: String(before.number), unsealed: 0, head: null };

      const { inserted, unsealed } = await queries.findUnsealed(tx, MOST_UNSEALED);
      for (const id of inserted) report('inserted', null, id);
      const head = await queries.readHead(tx);
      if (!endsWith(secrets, before, head)) report('end', before.number);
      const last = await queries.readSeal(tx, before.number);
      return {
        ...counted,
        problems,
        next: null,
        unsealed,
        head: last
          ? { seal: String(last.number), hash: last.hash.toString('hex'), at: last.sealed_at }
          : null,
      };
    });

type Link = { number: number; hash: Buffer };

/** The seal that was verified last, or the beginning of the chain. */
async function startBehind(tx: Tx, number: number): Promise<Link> {
  const seal = number === 0 ? undefined : await queries.readSeal(tx, number);
  return seal ?? { number, hash: START };
}

/** Whether a seal is what was made behind the one before it. */
function follows(secrets: Secrets, before: Link, seal: queries.Seal): boolean {
  const { number, digest, hash } = seal;
  return (
    number === before.number + 1 &&
    digest !== null &&
    seal.found === seal.entries &&
    sealHash(before.hash, number, digest).equals(hash) &&
    (seal.key_id !== secrets.keyId || seal.signature === signatureOf(secrets, 'audit_seals', seal))
  );
}

/** Whether the chain ends where its last sealer left it. */
function endsWith(
  secrets: Secrets,
  last: Link,
  head: (Link & { signature: string; key_id: string }) | undefined,
) {
  if (!head) return last.number === 0;
  return (
    head.number === last.number &&
    head.hash.equals(last.hash) &&
    (head.key_id !== secrets.keyId || head.signature === signatureOf(secrets, 'audit_head', head))
  );
}
