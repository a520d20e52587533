import { api } from '@forecourt/contract/api';
import { CHANGE_SET_PATTERN } from '@forecourt/contract/change-kinds';
import { errorCodes } from '@forecourt/contract/errors';
import type { RouteContract } from '@forecourt/contract/route';
import type { FastifySchema } from 'fastify';
import { z } from 'zod';

type Content = Record<string, { schema: object }>;
type Response = { description?: string; content?: Content; $ref?: string };
type Operation = {
  security?: unknown;
  parameters?: object[];
  requestBody?: object;
  responses?: Record<string, Response>;
};
type Document = {
  components?: object;
  paths?: Record<string, Record<string, Operation> | undefined>;
};

const ERROR = { $ref: '#/components/schemas/Error' };

const errorSchema = {
  type: 'object',
  required: ['message', 'code'],
  properties: {
    message: { type: 'string', description: 'A sentence for people.' },
    code: { enum: Object.keys(errorCodes) },
    details: {
      oneOf: [
        { type: 'string' },
        { type: 'object', properties: { mergedInto: { type: 'string' } }, required: ['mergedInto'] },
      ],
    },
    errors: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Field to message; nested fields are joined with dots.',
    },
    requiresPasswordChange: { const: true },
    current: { description: 'With 409: the record as it is now.' },
    conflicts: { type: 'array', items: { type: 'object' } },
    requestId: { type: 'string', description: 'The id of the request in the log of the server.' },
  },
};

const statuses = [...new Set(Object.values(errorCodes).map(({ status }) => status))];
const codesOf = (status: number): string =>
  Object.entries(errorCodes)
    .filter(([, code]) => code.status === status)
    .map(([code]) => code)
    .join(', ');

const errorResponses = Object.fromEntries(
  statuses.map((status) => [
    `Error${status}`,
    { description: codesOf(status), content: { 'application/json': { schema: ERROR } } },
  ]),
);

/** Returns the error statuses of a route. */
function errorsOf(method: string, { params, body, upload, download }: RouteContract, isOpen: boolean) {
  const isWrite = method !== 'GET';
  return [
    400,
    ...(isOpen && !isWrite ? [] : [401]),
    ...(isOpen ? [] : [403]),
    ...(params ? [404] : []),
    ...(isWrite || download ? [409] : []),
    ...(body || upload ? [413, 415] : []),
    429,
    500,
    503,
    ...(isWrite ? [507] : []),
  ];
}

const BINARY = { type: 'string', format: 'binary' };

/** Returns the success response: a file, no content, or the JSON described by its schema. */
function successOf(contract: RouteContract, documented: Operation['responses']): Record<string, Response> {
  const status = contract.status ?? (contract.response || contract.download ? 200 : 204);
  if (contract.download) {
    return {
      [status]: { description: 'The file', content: { 'application/octet-stream': { schema: BINARY } } },
    };
  }
  if (!contract.response) return { [status]: { description: 'Done' } };
  const content = Object.values(documented ?? {})[0]?.content ?? {};
  return {
    [status]: { description: 'Done', content },
    ...(contract.later && { 202: { description: 'Goes on as a job: GET /jobs/{id}', content } }),
  };
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'The same key and request return the first answer again, for 24 hours.',
  schema: { type: 'string', pattern: '^[\\w.:-]{1,200}$' },
};

const changeSet = {
  name: 'X-Change-Set',
  in: 'header',
  description:
    'The kind of the change set, a key that its calls have in common, and the kind and key of the set that it undoes or redoes. By default `api`, one set for a minute or for a call with many rows.',
  schema: { type: 'string', pattern: CHANGE_SET_PATTERN },
};

function describe(operation: Operation, method: string, contract: RouteContract): void {
  const isOpen = operation.security === undefined;
  const errors = errorsOf(method, contract, isOpen).map((status): [string, Response] => [
    String(status),
    { $ref: `#/components/responses/Error${status}` },
  ]);
  operation.responses = { ...successOf(contract, operation.responses), ...Object.fromEntries(errors) };
  if (method !== 'GET' && !isOpen && !contract.takesNoKey) {
    operation.parameters = [...(operation.parameters ?? []), idempotencyKey];
  }
  if (contract.changesDeals && contract.changesDeals !== 'itself')
    operation.parameters = [...(operation.parameters ?? []), changeSet];
  if (contract.upload) {
    const schema = { type: 'object', required: [contract.upload], properties: { [contract.upload]: BINARY } };
    operation.requestBody = { required: true, content: { 'multipart/form-data': { schema } } };
  }
}

const live: Operation & Record<string, unknown> = {
  summary: 'Live events as server-sent events; the answer does not end',
  description: 'For: signed in.',
  tags: ['events'],
  security: [{ session: [] }],
  parameters: [
    {
      name: 'recent',
      in: 'query',
      description: 'Begins with what happened while the page was loading.',
      schema: { enum: ['1'] },
    },
  ],
  responses: {
    200: {
      description: 'Events change, permissions, presence, job and end, each with JSON as its data',
      content: { 'text/event-stream': { schema: { type: 'string' } } },
    },
    ...Object.fromEntries(
      [401, 403, 503].map((status) => [status, { $ref: `#/components/responses/Error${status}` }]),
    ),
  },
};

function jsonSchema(schema: unknown, io: 'input' | 'output'): object {
  const { $schema: _dialect, ...documented } = z.toJSONSchema(schema as z.ZodType, {
    io,
    unrepresentable: 'any',
  });
  return documented;
}

/** A `transform` of @fastify/swagger: replaces the zod schemas of a route by JSON schemas. */
export function toJsonSchemas({ schema, url }: { schema: FastifySchema; url: string }) {
  const { body, querystring, params, response = {}, ...rest } = schema;
  const inputs = Object.entries({ body, querystring, params }).filter(([, input]) => input !== undefined);
  return {
    url,
    schema: {
      ...rest,
      ...Object.fromEntries(inputs.map(([name, input]) => [name, jsonSchema(input, 'input')])),
      response: Object.fromEntries(
        Object.entries(response as object).map(([status, output]) => [status, jsonSchema(output, 'output')]),
      ),
    },
  };
}

/** Adds information that the schemas lack: statuses, errors, files, and the live stream. */
export function completeOpenApi<D extends object>(document: D): D {
  const { paths = {}, components = {} } = document as Document;
  for (const [key, contract] of Object.entries(api)) {
    const [method, path] = key.split(' ') as [string, string];
    const operation = paths[`/api${path.replaceAll(/:(\w+)/g, '{$1}')}`]?.[method.toLowerCase()];
    if (operation) describe(operation, method, contract);
  }
  const schemas = { ...(components as { schemas?: object }).schemas, Error: errorSchema };
  return {
    ...document,
    components: { ...components, schemas, responses: errorResponses },
    paths: { ...paths, '/api/events': { get: live } },
  };
}
