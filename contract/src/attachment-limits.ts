/** Limits of the files attached to one message: total bytes, and number of files. */
export const MAX_ATTACHMENTS_BYTES = 10 * 1024 * 1024;
export const MAX_ATTACHMENTS = 20;

/** Maximum bytes of all deal files that one mail merge attaches. */
export const MAX_MERGE_FILES_BYTES = 100 * 1024 * 1024;

/** Limits of the files attached to a deal: bytes of one file, and number of files. */
export const MAX_DEAL_ATTACHMENT_BYTES = 20 * 1024 * 1024;
export const MAX_DEAL_ATTACHMENTS = 30;
