import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/auth.ts';
import { Wordmark } from '../../ui/Brand.tsx';
import { FormMessage } from '../../ui/FormMessage.tsx';
import type { useForm } from '../../ui/use-form.ts';
import styles from './AuthLayout.module.css';

type AuthLayoutProps = { title: string; note: string; children: ReactNode };

/** The frame of the screens without a side panel: a form beside a drawing of a forecourt. */
export function AuthLayout({ title, note, children }: AuthLayoutProps): ReactNode {
  return (
    <div className={styles.layout}>
      <main className={`ui-stack ui-gap-0 ${styles.side}`} tabIndex={-1}>
        <div>
          <Wordmark />
        </div>
        <div className={styles.box}>
          <h1 className={styles.title}>{title}</h1>
          <p className={styles.note}>{note}</p>
          {children}
        </div>
      </main>
      <div className={styles.picture} aria-hidden="true">
        <Bays />
        <p className={styles.tagline}>{texts.tagline}</p>
      </div>
    </div>
  );
}

type AuthFormProps = {
  form: Pick<ReturnType<typeof useForm>, 'message' | 'busy' | 'onSubmit'>;
  submitLabel: string;
  /** A button beside the submit button, which otherwise is as wide as the form. */
  beside?: ReactNode;
  /** A message to show before the form is sent, and a second sentence. */
  earlier?: string | null;
  note?: string | null;
  below?: ReactNode;
  children: ReactNode;
};

/** The fields of a sign-in screen, its message and its submit button. */
export function AuthForm({
  form,
  submitLabel,
  beside,
  earlier = null,
  note = null,
  below,
  children,
}: AuthFormProps): ReactNode {
  const submit = (
    <Button type="submit" loading={form.busy} {...(!beside && { mt: 8 })}>
      {submitLabel}
    </Button>
  );
  return (
    <form className="ui-stack" onSubmit={form.onSubmit} noValidate>
      <FormMessage text={form.message ?? earlier} note={form.message === null ? note : null} />
      {children}
      {beside ? (
        <div className="ui-line ui-mt-2">
          {submit}
          {beside}
        </div>
      ) : (
        submit
      )}
      {below}
    </form>
  );
}

const BAYS = 17;
const WIDTH = 52;
const DEPTH = 104;
/** Horizontal offset of a parking bay over its depth. */
const LEAN = 30;

/** The upper edge of each pair of rows, whose bays meet in the middle. */
const PAIRS = [-84, 236, 556];

/** Occupied bays: pair, row in the pair (0 above, 1 below), bay, opacity. */
const cars: readonly (readonly [number, 0 | 1, number, 1 | 2])[] = [
  [0, 1, 4, 1],
  [0, 1, 5, 2],
  [0, 1, 8, 1],
  [0, 1, 12, 2],
  [0, 1, 13, 1],
  [1, 0, 3, 2],
  [1, 0, 4, 1],
  [1, 0, 7, 1],
  [1, 0, 8, 2],
  [1, 0, 11, 1],
  [1, 0, 14, 1],
  [1, 1, 2, 1],
  [1, 1, 5, 1],
  [1, 1, 9, 2],
  [1, 1, 10, 1],
  [1, 1, 13, 2],
  [2, 0, 3, 1],
  [2, 0, 6, 2],
  [2, 0, 9, 1],
  [2, 0, 12, 1],
];

/** Skews a row towards the middle of its pair, so that the pair forms a herringbone. */
const lean = (row: 0 | 1, middle: number): string => {
  const slope = row === 0 ? -LEAN / DEPTH : LEAN / DEPTH;
  return `matrix(1 0 ${slope} 1 ${-slope * middle} 0)`;
};

/** A forecourt from above: rows of bays, some occupied, one car leaving. Decorative. */
function Bays(): ReactNode {
  return (
    <svg
      className={styles.plan}
      viewBox="0 0 760 860"
      preserveAspectRatio="xMinYMin slice"
      aria-hidden="true"
    >
      {PAIRS.map((top, pair) => {
        const middle = top + DEPTH;
        return (
          <g key={top}>
            <path className={styles.lines} d={`M-60 ${middle}H${BAYS * WIDTH}`} />
            {([0, 1] as const).map((row) => (
              <g key={row} transform={lean(row, middle)}>
                <path
                  className={styles.lines}
                  d={Array.from(
                    { length: BAYS + 1 },
                    (_, bay) => `M${(bay - 1) * WIDTH} ${middle}v${row === 0 ? -DEPTH : DEPTH}`,
                  ).join('')}
                />
                {cars
                  .filter((car) => car[0] === pair && car[1] === row)
                  .map(([, , bay, strength]) => (
                    <rect
                      key={bay}
                      className={styles.car}
                      data-strength={strength}
                      x={(bay - 1) * WIDTH + 10}
                      y={row === 0 ? middle - DEPTH + 14 : middle + 10}
                      width={WIDTH - 20}
                      height={DEPTH - 24}
                      rx="9"
                    />
                  ))}
              </g>
            ))}
          </g>
        );
      })}
      <path className={styles.way} d="M398 462C408 500 430 504 472 504H556" />
      <rect className={styles.leaving} x="570" y="488" width="80" height="32" rx="9" />
    </svg>
  );
}
