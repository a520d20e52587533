/** Maximum total size in bytes and maximum number of the files attached to one message. */
export const MAX_ATTACHMENTS_BYTES = 10 * 1024 * 1024;
export const MAX_ATTACHMENTS = 20;
