import { useRef, type ReactNode } from 'react';
import type { ColumnWidths } from './use-column-widths.ts';
import styles from './Table.module.css';

type ColumnEdgeProps = { columnId: string; widths: ColumnWidths; onFit: () => void };

/**
 * The right edge of a column's header: a drag resizes the column, a double click fits it to its content. By keyboard:
 * Alt+Left, Alt+Right and the column's options.
 */
export function ColumnEdge({ columnId, widths, onFit }: ColumnEdgeProps): ReactNode {
  const from = useRef<{ x: number; width: number } | null>(null);
  return (
    <span
      className={styles.edge}
      data-edge
      aria-hidden="true"
      onPointerDown={({ button, currentTarget, pointerId, clientX }) => {
        if (button !== 0) return;
        currentTarget.setPointerCapture(pointerId);
        from.current = { x: clientX, width: widths.measure(columnId) };
      }}
      onPointerMove={({ clientX }) => {
        if (from.current) widths.drag(columnId, from.current.width + clientX - from.current.x);
      }}
      onPointerUp={({ clientX }) => {
        const by = clientX - (from.current?.x ?? clientX);
        if (from.current && by !== 0) widths.resize(columnId, from.current.width + by);
      }}
      onLostPointerCapture={() => {
        from.current = null;
        widths.endDrag();
      }}
      onDoubleClick={onFit}
    />
  );
}
