import type { ResponseBody } from '@forecourt/contract/api';
import type { AuditProblem } from '@forecourt/contract/audit';
import type { Db, Tx } from '../../platform/db/database.ts';
import { inSnapshot } from '../../platform/db/snapshot.ts';
import { wasLogSealed } from '../../platform/installation.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { sealHash, signatureOf } from './chain.ts';
import * as queries from './verification.queries.ts';

/** Number of entries verified by one statement, well within the statement timeout. */
const BATCH_SIZE = 20_000;

/** A request returns after this time with the result so far (docs/product/api.md, Long work). */
const BUDGET_MS = 6000;

/** Maximum number of reported problems. */
const MAX_PROBLEMS = 100;

/** Maximum number of reported unsealed entries. */
const MAX_UNSEALED = 10_000;

type Verification = ResponseBody<'GET /audit-logs/verify'>;

const START = Buffer.alloc(32);

/**
 * Compares every entry with its seal and every seal with its predecessor (docs/product/audit.md, Verification). A long
 * log needs several requests: each continues from the last.
 */
export const createVerification =
  (secrets: Secrets) =>
  (db: Db, after: number): Promise<Verification> =>
    inSnapshot(db, async (tx) => {
      const problems: AuditProblem[] = [];
      const report = (kind: AuditProblem['kind'], seal: number | null, entry: number | null = null): void => {
        if (problems.length >= MAX_PROBLEMS) return;
        problems.push({
          kind,
          seal: seal === null ? null : String(seal),
          entry: entry === null ? null : String(entry),
        });
      };
      const counted = { seals: 0, entries: 0, otherKey: 0 };
      const until = performance.now() + BUDGET_MS;
      let before = await linkAt(tx, after);
      let isDone = false;
      while (!isDone && performance.now() < until) {
        const seals = await queries.readSeals(tx, before.number, BATCH_SIZE);
        for (const seal of seals) {
          if (!follows(secrets, before, seal)) report('seal', seal.number);
          if (seal.key_id !== secrets.keyId) counted.otherKey += 1;
          counted.seals += 1;
          counted.entries += seal.entries;
          before = seal;
        }
        const [first, last] = [seals.at(0), seals.at(-1)];
        if (first && last) {
          const broken = await queries.findBroken(tx, first.number, last.number, MAX_PROBLEMS);
          for (const { kind, seal, entry_id } of broken) report(kind, seal, entry_id);
        } else isDone = true;
      }
      if (!isDone) return { ...counted, problems, next: String(before.number), unsealed: 0, head: null };

      const { inserted, unsealed } = await queries.findUnsealed(tx, MAX_UNSEALED);
      for (const id of inserted) report('inserted', null, id);
      const head = await queries.readHead(tx);
      const isEnd = head
        ? endsWith(secrets, before, head)
        : before.number === 0 && !(await wasLogSealed(tx, secrets));
      if (!isEnd) report('end', before.number);
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

async function linkAt(tx: Tx, number: number): Promise<Link> {
  const seal = number === 0 ? undefined : await queries.readSeal(tx, number);
  return seal ?? { number, hash: START };
}

/** Whether a seal is valid after its predecessor. */
function follows(secrets: Secrets, before: Link, seal: queries.Seal): boolean {
  const { number, digest, hash } = seal;
  return (
    number === before.number + 1 &&
    digest !== null &&
    seal.entry_count === seal.entries &&
    sealHash(before.hash, number, digest).equals(hash) &&
    (seal.key_id !== secrets.keyId || seal.signature === signatureOf(secrets, 'audit_seals', seal))
  );
}

/** Whether the chain ends at the head that the last sealing stored. */
function endsWith(secrets: Secrets, last: Link, head: Link & { signature: string; key_id: string }) {
  return (
    head.number === last.number &&
    head.hash.equals(last.hash) &&
    (head.key_id !== secrets.keyId || head.signature === signatureOf(secrets, 'audit_head', head))
  );
}
