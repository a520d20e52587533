import { MIN_SEARCH_ANYWHERE } from '@forecourt/contract/deal-limits';
import { searchDigits } from '@forecourt/contract/phone';
import { sql, type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool } from 'kysely';
import { escapeLike } from '../../platform/db/database.ts';
import type { Tables } from '../../platform/db/schema.generated.ts';

/**
 * A parsed search: patterns, or a text that is too short for one. For a short text `words` are patterns of words that
 * begin with it: `start` for the first word, and one for each character that may precede a word.
 */
export type Search = {
  pattern?: string;
  /** The whole text, if the pattern contains only parts of it. */
  whole?: string;
  short?: string;
  words?: Readonly<Record<string, string>>;
  digits?: string;
};

/** The expressions of `search_text`, in its order. */
const SEARCH_TEXTS = {
  customerName: sql`deals.customer_name`,
  dealNumber: sql`deals.deal_number`,
  vehicle: sql`deals.vehicle`,
  customerEmail: sql`deals.customer_email`,
  customerNumber: sql`regexp_replace(deals.customer_number, '\\D', '', 'g')`,
} as const;
export type SearchColumn = keyof typeof SEARCH_TEXTS;
export const searchColumns = Object.keys(SEARCH_TEXTS) as SearchColumn[];

const patternOf = (part: string) => `%${escapeLike(part)}%`;

/**
 * Returns the search for several words. Only the beginning of each is looked up in the index: two beginnings leave few
 * rows, and the time grows with the number of trigrams.
 */
function textSearch(text: string): Pick<Search, 'pattern' | 'whole'> {
  const parts = text.match(/(?<![\p{L}\p{N}])[\p{L}\p{N}]{3}/gu) ?? [];
  return parts.length < 2 ? { pattern: patternOf(text) } : { pattern: `%${parts.join('%')}%`, whole: text };
}

/** Characters that may precede a word. */
const BEFORE_WORDS = [' ', '-', '.', '@', "'"];

/** The beginning of a word has trigrams, because words are padded. */
const wordPatterns = (part: string) => ({
  start: `${escapeLike(part)}%`,
  ...Object.fromEntries(BEFORE_WORDS.map((before) => [before, `%${before}${escapeLike(part)}%`])),
});

/** Whether a search has a letter or digit: without one it has no trigram. */
export const hasWord = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

/**
 * Parses a search. Phone numbers match by their digits in any format, also with the country code; deal
 * numbers match as typed (docs/product/data-entry.md, Search).
 */
function searchFor(typed: string): Search {
  const text = typed.toLowerCase();
  const digits = searchDigits(typed);
  const isPhone = digits.length >= MIN_SEARCH_ANYWHERE && digits !== typed && /^[\d\s()+-]+$/.test(typed);
  return {
    ...(text.length < MIN_SEARCH_ANYWHERE
      ? { short: text, ...(hasWord(text) && { words: wordPatterns(text) }) }
      : textSearch(text)),
    ...(isPhone && { digits: patternOf(digits) }),
  };
}

export const parsedSearch = (search: string | Search): Search =>
  typeof search === 'string' ? searchFor(search) : search;

/**
 * In all months a short text finds the beginnings of words, which have trigrams (docs/product/data-entry.md, Search).
 */
export function searched(
  eb: ExpressionBuilder<Tables, 'deals'>,
  { short, words, pattern, whole, digits }: Search,
  columns: readonly SearchColumn[],
  isInAllMonths: boolean,
): Expression<SqlBool> {
  if (columns.length === 0) return eb.lit(false);
  const matches = (text: RawBuilder<string>) =>
    eb.or([
      ...(isInAllMonths && words
        ? Object.values(words).map((word) => sql<SqlBool>`${text} like ${word}`)
        : short === undefined
          ? []
          : [sql<SqlBool>`strpos(${text}, ${short}) > 0`]),
      ...(pattern === undefined
        ? []
        : whole === undefined
          ? [sql<SqlBool>`${text} like ${pattern}`]
          : [sql<SqlBool>`(${text} like ${pattern} and strpos(${text}, ${whole}) > 0)`]),
      ...(digits === undefined ? [] : [sql<SqlBool>`${text} like ${digits}`]),
    ]);
  const anywhere = matches(sql`deals.search_text`);
  if (columns.length === searchColumns.length) return anywhere;
  // If columns are hidden, the index finds candidates, and then only visible columns are matched.
  const seen = sql.join(columns.map((column) => SEARCH_TEXTS[column]));
  return eb.and([anywhere, matches(sql`lower(concat_ws(' ', '', ${seen}))`)]);
}
