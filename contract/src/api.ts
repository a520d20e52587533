import type { z } from 'zod';
import { authRoutes } from './auth.ts';
import { dealershipRoutes } from './dealerships.ts';
import { dealRoutes } from './deals.ts';
import { emailSendingRoutes } from './email-sending.ts';
import { emailSettingsRoutes } from './email-settings.ts';
import { emailTemplateRoutes } from './email-templates.ts';
import { healthRoutes } from './health.ts';

/**
 * Every call of the product. `GET /events` alone is not in it: its answer never ends (see `events.ts`).
 * Browsers import the type `Api` only, so that no schema is part of the first load.
 */
export const api = {
  ...healthRoutes,
  ...authRoutes,
  ...dealershipRoutes,
  ...emailTemplateRoutes,
  ...emailSendingRoutes,
  ...emailSettingsRoutes,
  ...dealRoutes,
} as const;

export type Api = typeof api;
export type RouteKey = keyof Api;

type Part<K extends RouteKey, P extends string> =
  Api[K] extends Record<P, infer S extends z.ZodType> ? S : never;

/** What a caller sends, before defaults are filled in. */
export type Sent<K extends RouteKey, P extends 'params' | 'query' | 'body'> =
  Part<K, P> extends never ? undefined : z.input<Part<K, P>>;

/** What a caller gets back. */
export type Answer<K extends RouteKey> =
  Part<K, 'response'> extends never ? undefined : z.output<Part<K, 'response'>>;
