/** The most bytes that the files of one message may have together, and how many files that may be. */
export const ATTACHMENTS_BYTES = 10 * 1024 * 1024;
export const ATTACHMENTS_MAX = 20;
