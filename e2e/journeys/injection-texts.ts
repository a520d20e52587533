/** The effects that a text attempts if it is interpreted. `N` is replaced by its number. */
const ACTIONS = ['ran(N)', 'alert(N)'];

/** Elements that run scripts once they are in a page; `ACT` is the script. */
const ELEMENTS = [
  '<script>ACT</script>',
  '<img src=x onerror="ACT">',
  '<svg onload="ACT"></svg>',
  '<svg><animate onbegin="ACT" attributeName=x dur=1s></svg>',
  '<body onload="ACT">',
  '<iframe srcdoc="<script>parent.ACT</script>"></iframe>',
  '<iframe src="javascript:parent.ACT"></iframe>',
  '<video><source onerror="ACT"></video>',
  '<audio src=x onerror="ACT"></audio>',
  '<input autofocus onfocus="ACT">',
  '<details open ontoggle="ACT">x</details>',
  '<style onload="ACT"></style>',
  '<object data=x onerror="ACT"></object>',
  '<a href="javascript:ACT" autofocus onfocus="ACT">x</a>',
  '<form action="javascript:ACT"><button>x</button></form>',
  '<math><mi xlink:href="javascript:ACT">x</mi></math>',
];

/** Elements that fetch a resource. */
const FETCHERS = [
  '<img src="//out.invalid/N">',
  '<img srcset="//out.invalid/N 1x">',
  '<link rel=stylesheet href="//out.invalid/N">',
  '<link rel=prefetch href="//out.invalid/N">',
  '<style>@import "//out.invalid/N";</style>',
  '<p style="background:url(//out.invalid/N)">x</p>',
  '<table background="//out.invalid/N"><tr><td>x</table>',
  '<iframe src="//out.invalid/N"></iframe>',
  '<embed src="//out.invalid/N">',
  '<video poster="//out.invalid/N"></video>',
  '<audio autoplay src="//out.invalid/N"></audio>',
  '<meta http-equiv=refresh content="0;url=//out.invalid/N">',
  '<base href="//out.invalid/N/">',
  '<svg><image href="//out.invalid/N"/></svg>',
  '<script src="//out.invalid/N"></script>',
  '<input type=image src="//out.invalid/N">',
];

/** Sequences that close the context of a text: an attribute, a title, a cell, a comment. */
const CONTEXTS = ['', '">', "'>", '</title>', '</td></table>', '-->', '</textarea>', '</style>', '</script>'];

const entities = (text: string, form: (code: number) => string): string =>
  text.replace(/[<>"'=]/g, (character) => form(character.charCodeAt(0)));

/** Encodings that a filter may miss, or that are decoded once too often. */
const DISGUISES: ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replace(/<(\w+)/g, (tag) => tag.toUpperCase()),
  (text) => text.replace(/<(\w+) /g, '<$1/'),
  (text) => text.replaceAll('"', ''),
  (text) => text.replaceAll('"', '`'),
  (text) => `<${text}`,
  (text) => text.replace(/>$/, ''),
  (text) => text.replace('=', '\t='),
  (text) => entities(text, (code) => `&#${code};`),
  (text) => entities(text, (code) => `&#x${code.toString(16)}`),
  (text) => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  (text) => text.replaceAll('<', '&amp;lt;').replaceAll('>', '&amp;gt;'),
  (text) => encodeURIComponent(text),
  (text) => text.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e'),
  (text) => text.replaceAll('<', '\uff1c').replaceAll('>', '\uff1e'),
  (text) => text.replaceAll('script', 'scr<script>ipt'),
];

/** Syntax of template engines, scripts and URLs. */
const LANGUAGES = [
  '{{constructor.constructor("ACT")()}}',
  '{{#with this}}ACT{{/with}}',
  '{{{ACT}}}',
  '{%ACT%}',
  '<%=ACT%>',
  '${ACT}',
  '#{ACT}',
  '{{__proto__}} {{customer}} ACT',
  'javascript:ACT',
  'JaVaScRiPt:ACT',
  'java\tscript:ACT',
  'data:text/html,<script>ACT</script>',
  'vbscript:ACT',
  'https://x.example/"onmouseover="ACT',
  "');ACT;//",
  '";ACT;//',
  '\\";ACT;//',
  'expression(ACT)',
];

/** A field of 120 characters must be able to contain each text. */
const LONGEST = 112;

/** Returns distinct texts that would run a script, fetch something or break out if they were interpreted. */
export function injectionTexts(): string[] {
  const bare = [...ELEMENTS, ...FETCHERS];
  const shapes = new Set([
    ...bare.flatMap((element) => DISGUISES.map((disguise) => disguise(element))),
    ...bare.flatMap((element) => CONTEXTS.map((context) => context + element)),
    ...LANGUAGES,
  ]);
  const acting = [...shapes].flatMap((shape, index) =>
    shape.includes('ACT') ? [shape.replaceAll('ACT', ACTIONS[index % ACTIONS.length]!)] : [shape],
  );
  return [...new Set(acting)]
    .filter((text) => text.length <= LONGEST)
    .map((text, index) => text.replace(/\bN\b/g, String(index)));
}
