/** Size of a table in a template, limited so that it fits a phone screen. */
export const MAX_TABLE_COLUMNS = 8;
export const MAX_TABLE_ROWS = 100;

/** Target of a link or a button: web, mail or phone, never a script. */
export const LINK_ADDRESS = /^(https?:\/\/|mailto:|tel:)[^\s"<>]{1,2000}$/i;
