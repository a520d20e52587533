import { z } from 'zod';

/** Where copies of backups go: by SSH, or to S3. */
export const CopyDestination = z.enum(['ssh', 's3']);
export type CopyDestination = z.infer<typeof CopyDestination>;
