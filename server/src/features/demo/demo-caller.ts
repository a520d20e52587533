import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Sessions } from '../../platform/sessions.ts';
import { DEMO_USER_AGENT } from './demo.queries.ts';

export type DemoParts = { app: Pick<FastifyInstance, 'inject'>; db: Db; clock: Clock; sessions: Sessions };

const ORIGIN = { requestId: 'demo-colleague', ip: '127.0.0.1', userAgent: DEMO_USER_AGENT };

/** Returns a client that calls the API as a user of the demo. Its session is renewed after it has ended. */
export function createCaller({ app, db, sessions }: DemoParts, email: string) {
  let session: Promise<{ id: string; token: string }> | undefined;
  async function signIn() {
    const { id } = await db
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    // The session ended here may still be cached for a moment, which is harmless in a demo.
    const { token } = await db
      .transaction()
      .execute((tx) => sessions.start({ db: tx, afterCommit: (task) => task() }, id, ORIGIN));
    return { id, token };
  }
  return {
    async userId(): Promise<string> {
      return (await (session ??= signIn())).id;
    },
    /**
     * Sends JSON, or a file as the field of a form.
     * @param changeSet the header X-Change-Set
     */
    async call(
      method: 'GET' | 'POST' | 'PATCH' | 'PUT',
      path: string,
      body?: object | File,
      changeSet = 'edit',
    ) {
      const { token } = await (session ??= signIn());
      const response = await app.inject({
        method,
        url: `/api${path}`,
        headers: { authorization: `Bearer ${token}`, 'x-change-set': changeSet },
        ...(body && { payload: body instanceof File ? formOf(body) : body }),
      });
      if (response.statusCode === 401) session = undefined;
      return response;
    },
  };
}

function formOf(file: File): FormData {
  const form = new FormData();
  form.append('file', file);
  return form;
}
