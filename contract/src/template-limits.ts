/** Limits of a table in a template: it must fit the screen of a phone. */
export const MAX_TABLE_COLUMNS = 8;
export const MAX_TABLE_ROWS = 100;

/** Maximum characters of the note that a sender adds to one message. */
export const MAX_NOTE_LENGTH = 2000;

/** The name of a variable between `{{` and `}}`. */
export const VARIABLE_KEY = /^[a-zA-Z][a-zA-Z0-9]{0,39}$/;

/** `{{key}}` with the syntax of a variable's key; other text in braces is ordinary text. */
export const PLACEHOLDER = new RegExp(`\\{\\{(${VARIABLE_KEY.source.slice(1, -1)})\\}\\}`, 'g');

/** Target of a link or a button: web, mail or phone, never a script. */
export const LINK_ADDRESS = /^(https?:\/\/|mailto:|tel:)[^\s"<>]{1,2000}$/i;
