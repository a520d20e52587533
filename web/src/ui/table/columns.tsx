import { formatDateTime } from '../../platform/formats.ts';
import { StatusBadge } from '../StatusBadge.tsx';
import type { ColumnFilter, DataColumn } from './data-column.ts';
import { TimeText } from './TimeText.tsx';

type Value = string | number | null;

type ValueColumn<R> = Omit<DataColumn<R>, 'sortBy' | 'filterBy' | 'render'> & {
  of: (row: R) => Value;
  filter?: ColumnFilter<R>['kind'];
  render?: DataColumn<R>['render'];
};

/** A column of a value, by which it is sorted. Hidden on a phone unless `wideOnly` is false. */
export const valueColumn = <R,>({ of, filter, ...column }: ValueColumn<R>): DataColumn<R> => ({
  sortBy: of,
  ...(filter && { filterBy: { kind: filter, of } as ColumnFilter<R> }),
  render: of,
  wideOnly: true,
  ...column,
});

type TimeColumn<R> = Omit<ValueColumn<R>, 'of' | 'render'> & {
  of: (row: R) => string | null;
  /** Text for null. */
  none?: string;
  /** False for lists that the server sorts. */
  isSorted?: boolean;
};

/** A column of instants. Hidden on a phone unless `wideOnly` is false. */
export function timeColumn<R>({ none, isSorted = true, ...columnProps }: TimeColumn<R>): DataColumn<R> {
  const render = (row: R) => {
    const time = columnProps.of(row);
    if (time === null) return <span className="ui-quiet">{none}</span>;
    return <TimeText text={formatDateTime(time)} />;
  };
  const { sortBy, ...column } = valueColumn({ width: '170px', render, ...columnProps });
  return isSorted && sortBy ? { ...column, sortBy } : column;
}

export function activeColumn<R extends { active: boolean }>(
  texts: { status: string; active: string; inactive: string },
  column: Partial<DataColumn<R>> = {},
): DataColumn<R> {
  const of = ({ active }: R): string => (active ? texts.active : texts.inactive);
  const render = (row: R) => <StatusBadge tone={row.active ? 'good' : 'neutral'}>{of(row)}</StatusBadge>;
  return valueColumn({
    id: 'status',
    header: texts.status,
    width: '110px',
    of,
    filter: 'choice',
    render,
    ...column,
  });
}
