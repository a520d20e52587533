/** What follows the name of the table in ALTER TABLE, by the commas outside of parentheses. */
const actionsOf = (text: string): string[] => text.split(/,(?![^(]*\))/).map((action) => action.trim());

/** A column, a constraint or a name that is removed, changed or required. A dropped constraint only permits more. */
const ACTIONS = [
  /^rename\b/,
  /^drop (?!constraint\b)/,
  // Statements with ON CONFLICT need the key.
  /^drop constraint (?:if exists )?\w+_p?key\b/,
  /^alter (?:column )?\w+ (?:set not null|(?:set data )?type)\b/,
  /^add (?:constraint|check|unique|primary|foreign|exclude)\b/,
  /^add .*\b(?:unique|primary key)\b/,
  /^add (?!.*\b(?:default|generated)\b).*\bnot null\b/,
];

/** `do` is refused as a whole, because its text is not read. */
const STATEMENTS = [/^drop (?!index\b)/, /^create unique index\b/, /^alter (?!table\b).*\brename\b/, /^do\b/];

/**
 * Returns the statements of a migration after which a program of the former release may fail: those that remove, rename,
 * retype or require something that an earlier migration has created. It does not read what functions do.
 */
export function contractionsOf(sql: string): string[] {
  const statements = sql
    .replace(/--.*$/gm, '')
    .replace(/\$(\w*)\$.*?\$\1\$/gs, "''")
    .toLowerCase()
    .split(';')
    .map((text) => text.trim().replace(/\s+/g, ' '));
  const created = new Set(statements.map((text) => /^create table (?:if not exists )?(\w+)/.exec(text)?.[1]));
  return statements.filter((text) => {
    const [, table, actions = ''] =
      /^alter table (?:if exists )?(?:only )?(\w+) (.*)/.exec(text) ??
      /^create unique index .*?\bon (?:only )?(\w+)/.exec(text) ??
      [];
    if (table !== undefined && created.has(table)) return false;
    return (
      STATEMENTS.some((pattern) => pattern.test(text)) ||
      actionsOf(actions).some((action) => ACTIONS.some((pattern) => pattern.test(action)))
    );
  });
}
