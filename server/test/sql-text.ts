/** Keywords that begin a clause, longest first. */
const CLAUSE =
  /^(with|select|from|where|group by|having|order by|limit|offset|union all|union|insert into|values|on conflict|do update set|returning|update|set|delete from|(?:inner |left |cross )?join|for (?:no key )?update)\b/i;
const TOKEN = /'(?:[^']|'')*'|"[^"]*"|\$\d+|[(),]|[^\s'"$(),]+|\$/g;
const WIDTH = 110;

type Group = (string | Group)[];

/** Reads a statement into tokens, with a list for each pair of parentheses. */
function parse(text: string): Group {
  const root: Group = [];
  const open = [root];
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '(') {
      const group: Group = [];
      open.at(-1)!.push(group);
      open.push(group);
    } else if (token === ')') open.pop();
    else open.at(-1)!.push(token);
  }
  return root;
}

/** Words before a parenthesis that are no functions. */
const WORDS =
  /(^|\s)(and|or|not|in|as|on|by|from|where|select|values|set|when|then|else|is|any|all|over|filter|returning|exists|[=<>+*/|-]+)$/i;

/** Joins two texts; a function and its arguments, and a text and a comma, have no space between them. */
const join = (text: string, own: string): string => {
  const isCall = own.startsWith('(') && /[\w"]$/.test(text) && !WORDS.test(text);
  const isTight = text === '' || own === ',' || /^(::|\[|\.)/.test(own) || /[.[]$/.test(text) || isCall;
  return isTight ? text + own : `${text} ${own}`;
};

const inline = (group: Group): string =>
  group.reduce<string>((text, part) => join(text, typeof part === 'string' ? part : `(${inline(part)})`), '');

/** Splits the parts of a group at some of its tokens, which begin the next part. */
function splitAt(group: Group, begins: (index: number) => boolean): Group[] {
  const parts: Group[] = [[]];
  for (const [index, part] of group.entries()) {
    if (index > 0 && begins(index)) parts.push([]);
    parts.at(-1)!.push(part);
  }
  return parts;
}

const words = (group: Group, index: number): string =>
  group
    .slice(index, index + 4)
    .map((part) => (typeof part === 'string' ? part : '('))
    .join(' ');

const beginsClause = (group: Group, index: number): boolean =>
  CLAUSE.test(words(group, index)) &&
  !/^(distinct|no|key|for|do|left|inner|cross)$/i.test(String(group[index - 1]));

/** @param deeper the indent of the lines after the first, unless the group has clauses */
function print(group: Group, indent: string, deeper = `${indent}  `): string {
  const whole = inline(group);
  const clauses = splitAt(group, (index) => beginsClause(group, index));
  if (clauses.length > 1) return clauses.map((clause) => print(clause, indent)).join(`\n${indent}`);
  if (whole.length + indent.length <= WIDTH) return whole;
  const items = splitAt(group, (index) => group[index - 1] === ',');
  if (items.length > 1) return items.map((item) => print(item, deeper)).join(`\n${deeper}`);
  const terms = splitAt(group, (index) => /^(and|or|when|else|end)$/i.test(String(group[index])));
  if (terms.length > 1) return terms.map((term) => print(term, deeper)).join(`\n${deeper}`);
  return group.reduce<string>((text, part) => {
    if (typeof part === 'string') return join(text, part);
    const short = `(${inline(part)})`;
    const inner = `${indent}  `;
    const long = () => `(\n${inner}${print(part, inner, inner)}\n${indent})`;
    return join(text, short.length <= WIDTH / 2 ? short : long());
  }, '');
}

/** Formats a statement one clause a line, so that a change of it can be reviewed. */
export const formatSql = (text: string): string => `${print(parse(text.replace(/--.*$/gm, '')), '')}\n`;
