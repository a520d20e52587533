import { MAX_IMPORT_LINES } from '@forecourt/contract/deal-limits';
import { formatCount } from '../platform/formats.ts';

export const texts = {
  choose: 'Choose a file',
  another: 'Choose another file',
  dropHere: 'or drop a CSV or Excel file (.xlsx) here',
  paste: 'Or paste rows, with their header',
  readPasted: 'Read pasted rows',
  problems: {
    empty:
      'No rows were found below a header. The first line names the columns; of an Excel file, only the first sheet is read.',
    tooManyLines: `There are more than ${formatCount(MAX_IMPORT_LINES)} lines in this. Please import it in parts.`,
    tooLarge: 'This file is too large to be read here. Please import it in parts.',
    oldExcel:
      'This is an old Excel file (.xls), or one with a password. Save it as .xlsx or CSV without a password and choose that one.',
    unreadable: 'This file cannot be read. Save it as .xlsx or CSV and try again.',
  },

  columns: 'Columns',
  columnsNote: 'Which column of the file holds what.',
  noColumn: 'Not in the file',
  unnamedColumn: (number: number) => `Column ${number}`,
  /** A column whose name others have too. */
  repeatedColumn: (name: string, number: number) => `${name} (column ${number})`,

  preview: 'Preview',
  line: 'Line',
  cellLabel: (column: string, line: number) => `${column}, line ${line}`,
  importAnyway: 'Import anyway',
  importLineAnyway: (line: number) => `Import line ${line} anyway`,
  /** A cell without text. */
  empty: 'empty',
  /** The former text, after a cell that was corrected. */
  was: (text: string) => `was ${text}`,
  changeRepair: 'This was corrected. Click to change it.',
  changeValue: 'Click to change it.',
  lineChoice: (line: number) => `What happens with line ${line}`,
  more: (lines: number) => `Show ${lines} more lines`,
} as const;
