import type { Viewer } from '../../platform/http/context.ts';

/** A job is visible to the user who started it and to administrators. */
export const canSeeJob = (viewer: Viewer, job: { user_id: string | null }): boolean =>
  viewer.role === 'admin' || job.user_id === viewer.userId;
