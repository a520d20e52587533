import { generate } from 'lean-qr';
import { toSvgPath } from 'lean-qr/extras/svg';
import { useMemo, type ReactNode } from 'react';
import styles from './TwoStep.module.css';

/** The quiet zone that readers require, in modules. */
const MARGIN = 4;

/** A QR code as SVG, black on white in both themes. */
export function QrCode({ text, label }: { text: string; label: string }): ReactNode {
  const { path, size } = useMemo(() => {
    const code = generate(text);
    return { path: toSvgPath(code), size: code.size + 2 * MARGIN };
  }, [text]);
  return (
    <svg
      className={styles.qr}
      viewBox={`${-MARGIN} ${-MARGIN} ${size} ${size}`}
      role="img"
      aria-label={label}
    >
      <rect className={styles.light} x={-MARGIN} y={-MARGIN} width={size} height={size} />
      <path className={styles.dark} d={path} />
    </svg>
  );
}
