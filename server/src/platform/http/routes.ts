import { api, type Answer, type Api, type RouteKey } from '@forecourt/contract/api';
import type { RouteContract, RouteTable } from '@forecourt/contract/route';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Db } from '../db/database.ts';
import type { OneStep, Progress } from '../progress.ts';
import type { Context, Viewer } from './context.ts';
import type { Download } from './downloads.ts';
import { AppError, invalid } from './errors.ts';
import { readUpload, sendFile, type Upload } from './files.ts';
import { claimOf, once, type Claim } from './idempotency.ts';
import { anyone, requireEntry, type RoutePolicy } from './policy.ts';
import type { UnderWay } from './under-way.ts';

type Parsed<K extends RouteKey, P extends string> =
  Api[K] extends Record<P, infer S extends z.ZodType> ? z.output<S> : undefined;

/** A use case as a route calls it: who asks, what they ask, already checked against the contract. */
type Handler<K extends RouteKey, V extends Viewer | null> = (
  ctx: Context<V>,
  input: {
    params: Parsed<K, 'params'>;
    query: Parsed<K, 'query'>;
    body: Parsed<K, 'body'>;
    file: Api[K] extends { upload: string } ? Upload : undefined;
  },
  ...job: Api[K] extends { job: string } ? [OneStep] : []
) => Promise<Api[K] extends { download: true } ? Download : Answer<K>>;

/** Who may make the call, and what it does. A route for anyone says `open`: it cannot be left out by accident. */
type BoundRoute<K extends RouteKey> =
  | { allow: RoutePolicy; handle: Handler<K, Viewer> }
  | { open: Handler<K, Viewer | null> };

/** Every route of a feature's contract table, no more and no less: a route without a policy cannot be written. */
export type Routes<T extends RouteTable> = { [K in keyof T & RouteKey]: BoundRoute<K> };

/** A handler once its input has been checked against its own contract. */
type AnyHandler = (ctx: Context<Viewer | null>, input: unknown, job?: OneStep) => Promise<unknown>;

export type RouteDeps = {
  db: Db;
  /** The viewer behind a request's token. Throws NOT_SIGNED_IN. */
  authenticate(request: FastifyRequest): Promise<Viewer>;
  /** In tests and development answers are checked against the contract; in production they go out as they are. */
  checkAnswers: boolean;
  /** Called after each write that was committed: live events are looked for. */
  announce(): void;
  /** The most bytes that an uploaded file may have: UPLOAD_LIMIT. */
  uploadLimit: number;
  /** Told when a call begins to be answered, and when it is. */
  underWay: UnderWay;
  /** Carries out what may outlive its request. */
  progress: Pick<Progress, 'inOneStep'>;
};

/** What a body may have, in bytes, where the contract says nothing else; and from who has not signed in. */
const BODY_BYTES = 1024 * 1024;
const STRANGERS_BYTES = 16 * 1024;

/** Registers routes below /api. The guard is part of each route, so no form of the path can dodge it. */
export function registerRoutes(app: FastifyInstance, deps: RouteDeps, routes: Routes<Api>): void {
  for (const [key, bound] of Object.entries(routes)) {
    const contract: RouteContract = api[key as RouteKey];
    const [method, path] = key.split(' ') as [string, string];
    const policy = 'allow' in bound ? bound.allow : anyone;
    const handle = ('allow' in bound ? bound.handle : bound.open) as AnyHandler;
    app.route({
      method,
      url: `/api${path}`,
      schema: documentation(key, contract, policy),
      bodyLimit: contract.bodyLimit ?? (policy === anyone ? STRANGERS_BYTES : BODY_BYTES),
      config: { takesFile: contract.upload !== undefined },
      // Before the body is read: who may not call does not get to send a megabyte.
      onRequest: async (request) => {
        request.viewer = await admit(deps, policy, request);
      },
      handler: async (request, reply) => {
        // A body may take its time: who was let in when it began may have lost their rights by its end.
        if (method !== 'GET') request.viewer = await admit(deps, policy, request);
        return deps.underWay.during(() => answer(deps, contract, handle, request, reply));
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
  ...(contract.body && { body: contract.body }),
  ...(contract.response && { response: { [contract.status ?? 200]: contract.response } }),
});

async function admit(deps: RouteDeps, policy: RoutePolicy, request: FastifyRequest): Promise<Viewer | null> {
  if (!policy.allows) return null;
  const viewer = await deps.authenticate(request);
  if (!policy.beforeEntry) requireEntry(viewer);
  // Whoever looks at the product as somebody else reads, and nothing more.
  if (viewer.viewedBy && request.method !== 'GET') throw new AppError('VIEW_ONLY');
  const allowed = policy.allows(viewer);
  if (allowed !== true) throw new AppError(allowed);
  return viewer;
}

async function answer(
  deps: RouteDeps,
  contract: RouteContract,
  handle: AnyHandler,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const input = {
    ...readInput(contract, request),
    file: contract.upload
      ? await readUpload(request, contract.upload, contract.uploadLimit ?? deps.uploadLimit)
      : undefined,
  };
  const claim = claimOf(request, contract.secret ?? false);
  const tasks: (() => void)[] = [];
  const ctx: Context<Viewer | null> = {
    db: deps.db,
    viewer: request.viewer,
    origin: {
      requestId: request.id,
      ip: request.ip,
      userAgent: request.headers['user-agent']?.slice(0, 300) ?? '',
    },
    log: request.log,
    afterCommit: (task) => void tasks.push(task),
  };
  const result = contract.job
    ? await asJob(deps, contract.job, ctx as Context, claim, (inner, job) => handle(inner, input, job))
    : await once(ctx, claim, (inner) => handle(inner, input));
  for (const task of tasks) task();
  if (request.method !== 'GET' && !contract.writesNothing) deps.announce();
  if (contract.download) return sendFile(reply, result as Download);
  if (deps.checkAnswers) contract.response?.parse(result);
  const goesOn = contract.later && Object.hasOwn(result as object, 'jobId');
  void reply.status(goesOn ? 202 : (contract.status ?? 200));
  if (result === undefined) return reply.send();
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(result));
}

/** Of work that may go on after the answer, what follows a commit cannot wait for the answer. */
const asJob = (
  deps: RouteDeps,
  kind: string,
  ctx: Context,
  claim: Claim | null,
  work: (ctx: Context<Viewer | null>, job: OneStep) => Promise<unknown>,
): Promise<unknown> =>
  deps.progress.inOneStep({ ...ctx, afterCommit: (task) => task() }, kind, claim, (inner, job) => {
    inner.afterCommit(() => deps.announce());
    return once(inner, claim, (one) => work(one, job));
  });

/**
 * Checks path, query and body against the contract, whatever Content-Type says (security.md X1). Fields that
 * the server computes are dropped from the body first.
 */
function readInput(contract: RouteContract, request: FastifyRequest) {
  const params = contract.params ? contract.params.safeParse(request.params) : undefined;
  if (!contract.upload && request.isMultipart()) throw new AppError('UNSUPPORTED_TYPE');
  // An id that cannot exist is answered like one that does not.
  if (params?.error) throw new AppError('NOT_FOUND');
  return {
    params: params?.data,
    query: contract.query && read(contract.query, request.query),
    body: contract.body && read(contract.body, withoutComputed(request.body, contract.computed)),
  };
}

function read(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value);
  if (result.error) throw invalid(result.error.issues);
  return result.data;
}

function withoutComputed(body: unknown, computed: readonly string[] = []): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([key]) => !computed.includes(key)));
}
