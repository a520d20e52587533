import { api, type ResponseBody, type Api, type RouteKey } from '@forecourt/contract/api';
import { CHANGE_SET_PATTERN, namedChangeKinds, type ChangeKind } from '@forecourt/contract/change-kinds';
import type { RouteContract, RouteTable } from '@forecourt/contract/route';
import { AdjustmentReason } from '@forecourt/contract/statements';
import { validate, type Schema } from '@forecourt/contract/validate';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/database.ts';
import type { Secrets } from '../secrets.ts';
import { withWhomToAsk, type Adjustment } from './closed-months.ts';
import {
  callerOf,
  inTransaction,
  type Context,
  type Origin,
  type TransactionProgress,
  type Viewer,
  type TxContext,
} from './context.ts';
import type { Download } from './downloads.ts';
import { AppError, invalid, invalidField } from './errors.ts';
import { createSmallFileReader, readUpload, sendFile, type SmallFile, type Upload } from './files.ts';
import { claimOf, createSharedRuns, keyOf, once, type Claim } from './idempotency.ts';
import type { InFlight } from './in-flight.ts';
import { requireOpen, type Call } from './open-calls.ts';
import { anyone, mayCloseMonths, type RoutePolicy } from './policy.ts';
import { createSemaphore } from './semaphore.ts';

type Parsed<K extends RouteKey, P extends string> =
  Api[K] extends Record<P, infer S extends z.ZodType> ? z.output<S> : undefined;

/** A response that is already serialised. */
export class JsonText<T> {
  /** Exists only for the type check. */
  declare readonly value: T;
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A use case with its context and the validated input. */
type Handler<K extends RouteKey, V extends Viewer | null> = (
  ctx: Context<V>,
  input: {
    params: Parsed<K, 'params'>;
    query: Parsed<K, 'query'>;
    body: Parsed<K, 'body'>;
    file: Api[K] extends { upload: string }
      ? Api[K] extends { uploadLimit: number }
        ? SmallFile
        : Upload
      : undefined;
  },
  ...job: Api[K] extends { job: string } ? [TransactionProgress] : []
) => Promise<Api[K] extends { download: true } ? Download : ResponseBody<K> | JsonText<ResponseBody<K>>>;

/** A write of records. */
type RecordWrite<K extends RouteKey> = {
  /**
   * Returns the response to a repeated request from the current records. Without it, the response is stored with the
   * key instead of the ids of its records.
   */
  reread?: (ctx: Context, recordIds: readonly string[]) => Promise<ResponseBody<K>>;
  /**
   * Tries the usual case in one statement, which also stores the key. Returns undefined if a condition is not met and
   * nothing was written; the handler then finds the reason.
   */
  attempt?: (
    ctx: Context,
    input: Parameters<Handler<K, Viewer>>[1],
    claim: Claim | null,
  ) => Promise<ResponseBody<K> | undefined>;
};

/** The policy of a route, and its handler. A public route uses `open`, so it cannot be public by accident. */
type BoundRoute<K extends RouteKey> =
  | [RoutePolicy, Handler<K, Viewer>, RecordWrite<K>?]
  | { open: Handler<K, Viewer | null> };

/** The routes of a feature, exactly as in its contract: a route without a policy does not compile. */
export type Routes<T extends RouteTable> = { [K in keyof T & RouteKey]: BoundRoute<K> };

/** A handler whose input has been validated against its own contract. */
type AnyHandler = (
  ctx: Context<Viewer | null>,
  input: unknown,
  job?: TransactionProgress,
) => Promise<unknown>;
type Bound = [
  RoutePolicy,
  AnyHandler,
  {
    reread?: (ctx: Context, recordIds: readonly string[]) => Promise<unknown>;
    attempt?: (ctx: Context, input: unknown, claim: Claim | null) => Promise<unknown>;
  }?,
];

export type RouteDeps = {
  db: Db;
  /** Returns the viewer of a request's token. Throws NOT_SIGNED_IN. */
  authenticate(request: FastifyRequest): Promise<Viewer>;
  /** Validates responses against the contract, in tests and development only. */
  validateResponses: boolean;
  /** Called after each committed write, to poll for live events. */
  announce(): void;
  secrets: Secrets;
  /** Maximum bytes of an upload. */
  uploadLimit: number;
  inFlight: InFlight;
  /** Runs work that may outlive its request. */
  progress: {
    respondInTransaction(
      ctx: Context,
      kind: string,
      claim: Claim | null,
      work: (ctx: Context, job: TransactionProgress) => Promise<unknown>,
    ): Promise<unknown>;
  };
  clock: Pick<Clock, 'now'>;
  /** Writes the reason of what a transaction has changed in closed months to the audit log. */
  auditAdjustments(ctx: TxContext, adjustment: Adjustment): Promise<void>;
};

/**
 * Limits the concurrent writes of a user: each may use a connection for seconds, for example for 10,000 records. Long
 * work has limits of its own.
 */
const WRITES = { permits: Infinity, permitsEach: 4, maxQueued: Infinity, maxQueuedEach: 200 };

/** Maximum bytes of a body without a limit in the contract, and of a body on a public route. */
const BODY_BYTES = 1024 * 1024;
const PUBLIC_BODY_BYTES = 16 * 1024;

/** Registers the routes below /api. Each route includes its guard, so no spelling of the path can bypass it. */
export function registerRoutes(app: FastifyInstance, deps: RouteDeps, routes: Routes<Api>): void {
  const limits = { runShared: createSharedRuns(), withPermit: createSemaphore(WRITES) };
  for (const [key, bound] of Object.entries(routes)) {
    const contract: RouteContract = api[key as RouteKey];
    const call = { key: key as RouteKey, contract };
    const [method, path] = key.split(' ') as [string, string];
    const work = ('open' in bound ? [anyone, bound.open] : bound) as Bound;
    const [policy] = work;
    app.route({
      method,
      url: `/api${path}`,
      schema: documentation(key, contract, policy),
      bodyLimit: contract.bodyLimit ?? (policy === anyone ? PUBLIC_BODY_BYTES : BODY_BYTES),
      config: { takesFile: contract.upload !== undefined },
      // Checked before the body is read, because an unauthorised client must not send a megabyte.
      onRequest: async (request) => {
        request.viewer = await authorise(deps, policy, call, request);
      },
      handler: async (request, reply) => {
        // Permissions may change during a slow body, so they are checked again.
        if (method !== 'GET') request.viewer = await authorise(deps, policy, call, request);
        return deps.inFlight.track(() => respond({ ...deps, ...limits }, contract, work, request, reply));
      },
    });
  }
}

const documentation = (key: string, contract: RouteContract, policy: RoutePolicy) => ({
  summary: contract.summary,
  description: `For: ${policy.name}.`,
  tags: [key.split('/')[1]!],
  ...(policy !== anyone && { security: [{ session: [] }] }),
  ...(contract.params && { params: contract.params }),
  ...(contract.query && { querystring: contract.query }),
  ...bodyOf(contract),
  ...(contract.response && {
    response: {
      [contract.status ?? 200]: contract.response,
      ...(contract.isDone && { 200: contract.response }),
    },
  }),
});

/** Returns the documented body of a route. */
function bodyOf({ body, changesDeals }: RouteContract) {
  if (!changesDeals) return body && { body };
  return {
    body: body instanceof z.ZodObject ? body.extend(Adjusting.shape) : (body ?? Adjusting.optional()),
  };
}

async function authorise(
  deps: RouteDeps,
  policy: RoutePolicy,
  call: Call,
  request: FastifyRequest,
): Promise<Viewer | null> {
  if (!policy.allows) return null;
  const viewer = await deps.authenticate(request);
  requireOpen(viewer, call);
  const allowed = policy.allows(viewer);
  if (allowed !== true) throw new AppError(allowed);
  return viewer;
}

const readSmall = createSmallFileReader();

async function respond(
  deps: RouteDeps & {
    runShared: ReturnType<typeof createSharedRuns>;
    withPermit: ReturnType<typeof createSemaphore>;
  },
  contract: RouteContract,
  [, handle, records]: Bound,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const key = keyOf(request, contract);
  const read = readInput(contract, request);
  const file = contract.upload
    ? await readUpload(request, contract.upload, contract.uploadLimit ?? deps.uploadLimit)
    : undefined;
  // Read before the transaction begins, which a slow connection would hold open.
  const small = file && contract.uploadLimit ? await readSmall(request.viewer!.userId, file) : undefined;
  const { adjustmentReason, ...parts } = read;
  const input = { ...parts, file: small ?? file };
  const claim =
    key === null
      ? null
      : claimOf(key, request, small, { secrets: deps.secrets, isSecret: contract.secret ?? false });
  const { viewer } = request;
  // A reason counts only for those who may close months.
  const adjustment =
    adjustmentReason !== undefined && viewer && mayCloseMonths(viewer)
      ? { reason: adjustmentReason, userId: viewer.userId }
      : undefined;
  const tasks: (() => void)[] = [];
  const ctx: Context<Viewer | null> = {
    db: deps.db,
    viewer,
    origin: {
      requestId: request.id,
      ip: request.ip,
      userAgent: request.headers['user-agent']?.slice(0, 300) ?? '',
      ...(contract.changesDeals &&
        contract.changesDeals !== 'itself' && { changeSet: changeSetOf(request, contract, deps.clock) }),
      ...(adjustment && { adjustment }),
    },
    log: request.log,
    afterCommit: (task) => void tasks.push(task),
    // A write is completed also for a client that has disconnected.
    ...(request.method === 'GET' && { signal: disconnection(reply) }),
  };
  const handleAudited = async (
    inner: Context<Viewer | null>,
    job?: TransactionProgress,
  ): Promise<unknown> => {
    const result = await handle(inner, input, job);
    if (adjustment) await deps.auditAdjustments(inner as TxContext, adjustment);
    return result;
  };
  const work = (inner: Context<Viewer | null>): Promise<unknown> =>
    once(inner, claim, (one) => handleAudited(one), records?.reread);
  const run = (): Promise<unknown> => {
    if (contract.job) return runAsJob(deps, contract.job, ctx as Context, claim, handleAudited);
    // The reason belongs to a transaction.
    return adjustment ? inTransaction(ctx, work) : work(ctx);
  };
  const isLimited = viewer && request.method !== 'GET' && !contract.later;
  const attempt = adjustment ? undefined : records?.attempt;
  const result = await deps
    .runShared(
      viewer,
      claim,
      async () =>
        (await attempt?.(ctx as Context, input, claim)) ??
        (await (isLimited ? deps.withPermit(callerOf(viewer), run) : run())),
    )
    .catch(async (error: unknown) => {
      throw await withWhomToAsk(deps.db, error);
    });
  for (const task of tasks) task();
  if (request.method !== 'GET' && !contract.writesNothing) deps.announce();
  if (contract.download) return sendFile(reply, result as Download);
  const json = result instanceof JsonText ? result.text : JSON.stringify(result);
  if (deps.validateResponses)
    contract.response?.parse(result instanceof JsonText ? JSON.parse(json) : result);
  void reply.status(statusOf(contract, result));
  if (result === undefined) return reply.send();
  return reply.type('application/json; charset=utf-8').send(json);
}

/** Returns a signal that is aborted if the client disconnects before the response. */
function disconnection({ raw }: FastifyReply): AbortSignal {
  const disconnected = new AbortController();
  const onClose = (): void => {
    if (!raw.writableFinished) disconnected.abort();
  };
  if (raw.destroyed) onClose();
  else raw.once('close', onClose);
  return disconnected.signal;
}

/**
 * Returns the change set in the header X-Change-Set: its kind, a key that several calls (such as those of a paste)
 * share, and kind and key of the set that it undoes or redoes.
 */
function changeSetOf(
  request: FastifyRequest,
  { changesDeals, job }: RouteContract,
  clock: Pick<Clock, 'now'>,
): NonNullable<Origin['changeSet']> {
  const { 'x-change-set': header = 'api' } = request.headers;
  const [, kind, named, kindOf, keyOf] = CHANGE_SET.exec(String(header)) ?? [];
  const minute = String(Math.floor(clock.now().getTime() / 60_000));
  // A job is one long transaction: other calls of the same set would wait for it.
  const isAlone = job !== undefined || (changesDeals === 'call' && named === undefined);
  const key = isAlone ? request.id : (named ?? minute);
  if (kind === undefined) {
    throw invalidField(
      'X-Change-Set',
      `Must be ${namedChangeKinds.join(', ')}, and may have a key of up to 64 letters, digits and dashes, and the same of the set that it undoes or redoes`,
    );
  }
  const isSelf = kindOf === kind && keyOf === named;
  if (keyOf !== undefined && (isSelf || (![kind, kindOf].includes('undo') && kindOf !== kind))) {
    throw invalidField(
      'X-Change-Set',
      'May name another set of the same kind, which it redoes, or any if one of both is an undo',
    );
  }
  return {
    kind: kind as ChangeKind,
    key,
    isNamed: named !== undefined,
    ...(keyOf !== undefined && { of: { kind: kindOf as ChangeKind, key: keyOf } }),
  };
}

const CHANGE_SET = new RegExp(CHANGE_SET_PATTERN);

function statusOf({ later, isDone, status = 200 }: RouteContract, result: unknown): number {
  if (later && Object.hasOwn(result as object, 'jobId')) return 202;
  return isDone?.(result as never) ? 200 : status;
}

/** Runs work as a job. `afterCommit` tasks do not wait for the response, after which the work may continue. */
const runAsJob = (
  deps: RouteDeps,
  kind: string,
  ctx: Context,
  claim: Claim | null,
  work: (ctx: Context<Viewer | null>, job: TransactionProgress) => Promise<unknown>,
): Promise<unknown> =>
  deps.progress.respondInTransaction({ ...ctx, afterCommit: (task) => task() }, kind, claim, (inner, job) => {
    inner.afterCommit(() => deps.announce());
    return once(inner, claim, (one) => work(one, job));
  });

/** What the body of a call that may change money of closed months has besides its own fields. */
const Adjusting = z.strictObject({ adjustmentReason: AdjustmentReason.optional() });
const ADJUSTING = ['adjustmentReason'];

const reasonIn = (body: unknown) =>
  typeof body === 'object' && body !== null && 'adjustmentReason' in body
    ? { adjustmentReason: body.adjustmentReason }
    : {};

/** Schema of an absent query or body. */
const Nothing = z.strictObject({});

/**
 * Validates path, query and body against the contract, regardless of Content-Type (docs/product/security.md, One schema
 * for each route). Removes fields computed by the server from the body first.
 */
function readInput(contract: RouteContract, request: FastifyRequest) {
  const params = contract.params ? contract.params.safeParse(request.params) : undefined;
  if (!contract.upload && request.isMultipart()) throw new AppError('UNSUPPORTED_TYPE');
  // An invalid id has the same error as an unknown one.
  if (params?.error) throw new AppError('NOT_FOUND');
  const computed = [...(contract.computed ?? []), ...(contract.changesDeals ? ADJUSTING : [])];
  const input = {
    params: params?.data,
    query: validated(contract.query ?? Nothing, request.query),
    body: contract.upload
      ? undefined
      : validated(contract.body ?? Nothing.nullish(), withoutComputed(request.body, computed)),
    ...(contract.changesDeals && validated(Adjusting, reasonIn(request.body))),
  };
  if (isDeeperThan(MAX_NESTING, request.body))
    throw new AppError('INVALID_REQUEST', { details: 'The body is nested too deeply' });
  return input;
}

/** Maximum nesting of a body. Templates have 12 levels; tens of thousands could not be serialised again. */
const MAX_NESTING = 50;

const isDeeperThan = (levels: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner)));

function withoutComputed(body: unknown, computed: readonly string[] = []): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([key]) => !computed.includes(key)));
}

/** Returns the parsed value. Throws INVALID_REQUEST. */
function validated<S extends Schema>(schema: S, value: unknown): z.output<S> {
  const { data, issues } = validate(schema, value);
  if (issues) throw invalid(issues);
  return data;
}
