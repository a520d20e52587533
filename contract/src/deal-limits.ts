/** Maximum rows of a call that adds each row separately, so that the response takes less than a second. */
export const MAX_CREATED_ROWS = 200;

/** Maximum records of one all-or-nothing bulk call or import (docs/product/api.md, All or nothing). */
export const MAX_BULK_RECORDS = 10_000;

/** Maximum rows of one mail merge; MAIL_PER_HOUR limits it further. */
export const MAX_MERGED_ROWS = 500;

/** Maximum rows that one merge of duplicates merges into another one. */
export const MAX_MERGED_DUPLICATES = 20;

/** Maximum lines of a file or pasted text of an import, in the browser. */
export const MAX_IMPORT_LINES = 50_000;

/** Maximum columns of a dealership's file that are remembered: each field has one. */
export const MAX_IMPORT_COLUMNS = 300;

/** Maximum rows named for a line of an import that several rows match. */
export const MAX_MATCHES = 10;

/** A shorter search over all months finds only words that begin with the text (docs/product/data-entry.md, Search). */
export const MIN_SEARCH_ANYWHERE = 3;

/** Limits of comments: characters, mentioned users, and listed comments of a row. */
export const MAX_COMMENT_LENGTH = 2000;
export const MAX_MENTIONS = 50;
export const MAX_LISTED_COMMENTS = 1000;

/** Maximum entries of a row's history, and of its timeline. */
export const MAX_HISTORY_ENTRIES = 1000;

/** Maximum listed duplicates of a row. */
export const MAX_DUPLICATES = 20;

/** Maximum rows with comments, and with files, of one response. */
export const MAX_MARKED_ROWS = 5000;

export const MAX_PAGE_ROWS = 5000;

/** Maximum rows that live events contain at once. A browser loads its rows again after a larger change. */
export const MAX_EVENT_ROWS = 300;

/** Maximum items of a deal, and maximum quantity of each. */
export const MAX_DEAL_ITEMS = 50;
export const MAX_ITEM_QUANTITY = 9999;

/** Days during which an administrator can restore a deleted row. */
export const RESTORABLE_DAYS = 30;

/** Days after its first change during which a change set can be taken back. */
export const REVERTIBLE_DAYS = 90;
