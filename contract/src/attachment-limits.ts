/** Maximum total size in bytes and maximum number of the files attached to one message. */
export const MAX_ATTACHMENTS_BYTES = 10 * 1024 * 1024;
export const MAX_ATTACHMENTS = 20;

/** Maximum total size in bytes of the files of rows that one mail merge attaches. */
export const MAX_MERGE_FILES_BYTES = 100 * 1024 * 1024;

/** Maximum size in bytes of a file attached to a deal, and maximum number of files of a deal. */
export const MAX_DEAL_ATTACHMENT_BYTES = 20 * 1024 * 1024;
export const MAX_DEAL_ATTACHMENTS = 30;
