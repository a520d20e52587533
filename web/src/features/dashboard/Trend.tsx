import type { ResponseBody } from '@forecourt/contract/api';
import { useState, type ReactNode } from 'react';
import { formatMonth, formatShortMonth } from '../../platform/formats.ts';
import { rowsLink } from '../../platform/rows-link.ts';
import { texts } from '../../texts/dashboard.ts';
import { texts as figureNames } from '../../texts/figures.ts';
import { Card } from '../../ui/Card.tsx';
import { ColumnChart } from '../../ui/ColumnChart.tsx';
import { figuresIn, figureText, type FigureName } from '../../ui/figures.ts';
import { Segments } from '../../ui/Segments.tsx';

/** One figure over the last months; each column links to the rows of its month. */
export function Trend({ months }: { months: ResponseBody<'GET /dashboard'>['trend'] }): ReactNode {
  const names = figuresIn(months[0] ?? {});
  const [chosen, setChosen] = useState<FigureName>('saleAmount');
  const shown = names.includes(chosen) ? chosen : 'deals';

  return (
    <Card
      title={texts.trend}
      aside={
        names.length > 1 && (
          <Segments
            size="xs"
            miw="max-content"
            aria-label={texts.trendOf}
            value={shown}
            onChange={setChosen}
            data={names.map((name) => ({ value: name, label: figureNames[name] }))}
          />
        )
      }
    >
      <ColumnChart
        label={figureNames[shown]}
        columns={months.map((figures) => ({
          key: figures.month,
          label: formatShortMonth(figures.month),
          value: figures[shown] ?? 0,
          description: texts.ofMonth(formatMonth(figures.month), figureText(shown, figures)),
          to: rowsLink({ month: figures.month }),
        }))}
      />
    </Card>
  );
}
