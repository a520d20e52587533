import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';

type Values = Record<string, unknown>;
type Scope = { values: Values; variables: ReadonlyMap<string, unknown> };

/** Returns the value of `.Values.a.b`, `.Release.Name` or `$name`. */
function valueOf(path: string, { values, variables }: Scope): unknown {
  if (path.startsWith('$')) return variables.get(path);
  return path
    .slice(1)
    .split('.')
    .reduce<unknown>((parent, name) => (parent as Values)[name], values);
}

const isTrue = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);

const PATH = String.raw`(?:\.Values\.[\w.]+|\.Release\.Name|\$\w+)`;

function evaluate(expression: string, scope: Scope): string {
  const plain = new RegExp(`^(${PATH})( \\| quote)?$`).exec(expression);
  if (plain) {
    const text = String(valueOf(plain[1]!, scope));
    return plain[2] ? JSON.stringify(text) : text;
  }
  const block = new RegExp(`^toYaml (${PATH}) \\| nindent (\\d+)$`).exec(expression);
  if (!block) throw new Error(`The substitute does not know: {{ ${expression} }}`);
  const lines = stringify(valueOf(block[1]!, scope)).trimEnd().split('\n');
  return lines.map((line) => `\n${' '.repeat(Number(block[2]))}${line}`).join('');
}

function isMet(condition: string, scope: Scope): boolean {
  const [, not, path, equal, text] =
    new RegExp(`^(not )?(${PATH})$`).exec(condition) ??
    new RegExp(`^()(?:eq) (${PATH}) ("(.*)")$`).exec(condition) ??
    [];
  if (!path) throw new Error(`The substitute does not know: {{ if ${condition} }}`);
  const value = valueOf(path, scope);
  return equal ? value === text : isTrue(value) !== Boolean(not);
}

type Token = { text: string } | { action: string };

/** Renders tokens from `at` to the matching `else` or `end`. Returns the text and where it stopped. */
function render(tokens: readonly Token[], at: number, scope: Scope): { text: string; at: number } {
  let text = '';
  for (let index = at; index < tokens.length; index += 1) {
    const token = tokens[index]!;
    if ('text' in token) text += token.text;
    else if (token.action === 'end' || token.action === 'else') return { text, at: index };
    else if (token.action.startsWith('if ')) {
      const met = isMet(token.action.slice(3), scope);
      let branch = render(tokens, index + 1, scope);
      if (met) text += branch.text;
      if ((tokens[branch.at] as { action: string }).action === 'else') {
        branch = render(tokens, branch.at + 1, scope);
        if (!met) text += branch.text;
      }
      index = branch.at;
    } else if (token.action.startsWith('range ')) {
      const [, key, value, path] = new RegExp(`^range (?:(\\$\\w+), )?(\\$\\w+) := (${PATH})$`).exec(
        token.action,
      )!;
      let last = render(tokens, index + 1, { ...scope, variables: new Map([[value!, '']]) }).at;
      // Go ranges over maps by their sorted keys.
      const items = Object.entries(valueOf(path!, scope) as Values);
      if (key) items.sort(([one], [other]) => (one < other ? -1 : 1));
      for (const [name, item] of items) {
        const variables = new Map([
          ...scope.variables,
          [value!, item],
          ...(key ? [[key, name] as const] : []),
        ]);
        const turn = render(tokens, index + 1, { ...scope, variables });
        text += turn.text;
        last = turn.at;
      }
      index = last;
    } else text += evaluate(token.action, scope);
  }
  return { text, at: tokens.length };
}

const tokensOf = (template: string): Token[] =>
  // `{{-` removes the white space before it.
  template
    .replaceAll(/\s*\{\{-/g, '{{')
    .split(/(\{\{.*?\}\})/)
    .map((part) => (part.startsWith('{{') ? { action: part.slice(2, -2).trim() } : { text: part }));

/** Returns the values of a chart with these in place of its own. */
export function mergeValues(own: Values, given: Values): Values {
  const isGroup = (value: unknown): value is Values =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const merged = Object.entries(given).map(([name, value]) => {
    const former = own[name];
    return [name, isGroup(value) && isGroup(former) ? mergeValues(former, value) : value];
  });
  return { ...own, ...Object.fromEntries(merged) };
}

/**
 * A substitute for `helm template`, which is not everywhere: renders the few constructs that our templates use, and
 * throws for any other one. Returns the resources by their kind.
 */
export async function renderChart(
  folder: string,
  release: string,
  values: Values,
): Promise<Record<string, unknown>> {
  const scope = { values: { Values: values, Release: { Name: release } }, variables: new Map() };
  const names = (await readdir(join(folder, 'templates'))).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, 'templates', name), 'utf8')));
  return resourcesOf(texts.map((text) => render(tokensOf(text), 0, scope).text).join('\n---\n'));
}

/** Returns the resources of a text of YAML by their kind. Throws for a mistake, or two of one kind. */
export function resourcesOf(text: string): Record<string, unknown> {
  const resources: Record<string, unknown> = {};
  for (const document of parseAllDocuments(text)) {
    if ('errors' in document && document.errors[0]) throw document.errors[0];
    const resource = 'toJS' in document ? (document.toJS() as { kind: string } | null) : null;
    if (resource === null) continue;
    if (resource.kind in resources) throw new Error(`The chart has two of kind ${resource.kind}`);
    resources[resource.kind] = resource;
  }
  return resources;
}
