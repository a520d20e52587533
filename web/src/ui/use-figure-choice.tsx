import type { Figures } from '@forecourt/contract/figures';
import { useState } from 'react';
import { texts } from '../texts/figures.ts';
import { figuresIn, type FigureName } from './figures.ts';
import { Segments } from './Segments.tsx';

/** The figure of a chart, and a control to choose it if the user sees several. */
export function useFigureChoice(label: string, figures: Partial<Figures> = {}) {
  const names = figuresIn(figures);
  const [chosen, setChosen] = useState<FigureName>('saleAmount');
  const figure = names.includes(chosen) ? chosen : 'deals';
  const choice = names.length > 1 && (
    <Segments
      size="xs"
      aria-label={label}
      value={figure}
      onChange={setChosen}
      data={names.map((name) => ({ value: name, label: texts[name] }))}
    />
  );
  return { figure, choice };
}
