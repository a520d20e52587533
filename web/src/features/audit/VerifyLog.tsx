import { Button } from '@mantine/core';
import ShieldAlert from 'lucide-react/icons/shield-alert';
import ShieldCheck from 'lucide-react/icons/shield-check';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { formatCount, formatDateTime } from '../../platform/formats.ts';
import { texts } from '../../texts/audit.ts';
import { toastFailed } from '../../ui/toasts.ts';
import { verifyLog, type Verification } from './audit.queries.ts';

/** Verifies the whole log and shows the progress; `VerifyResult` shows the result. */
export function VerifyButton({ onFound }: { onFound: (found: Verification) => void }): ReactNode {
  const [entries, setEntries] = useState<number | null>(null);
  const leaving = useRef<AbortController>(null);
  useEffect(() => () => leaving.current?.abort(), []);

  const verify = async (): Promise<void> => {
    const { signal } = (leaving.current = new AbortController());
    setEntries(0);
    try {
      onFound(await verifyLog(signal, setEntries));
    } catch (failure) {
      if (!signal.aborted) toastFailed(failure, texts.verifyFailed);
    } finally {
      setEntries(null);
    }
  };

  return (
    <Button leftSection={<ShieldCheck />} disabled={entries !== null} onClick={() => void verify()}>
      {entries === null ? texts.verify : texts.verifying(formatCount(entries))}
    </Button>
  );
}

/** Whether the log is intact, and the problems found. */
export function VerifyResult({ found }: { found: Verification }): ReactNode {
  const { problems, head, unsealed, otherKey, entries } = found;
  const isWhole = problems.length === 0;
  return (
    <section
      className={`ui-line ui-top ui-gap-3 ui-mb-4 ui-box ${isWhole ? 'ui-good' : 'ui-bad'}`}
      role="status"
    >
      {isWhole ? <ShieldCheck aria-hidden /> : <ShieldAlert aria-hidden />}
      <div className="ui-stack ui-gap-1">
        <h2 className="ui-title">{isWhole ? texts.isWhole : texts.broken}</h2>
        <p>{isWhole ? texts.isWholeWhat(formatCount(entries)) : texts.brokenWhat(problems.length)}</p>
        {!isWhole && (
          <ul className="ui-bullets ui-mt-1">
            {problems.map(({ kind, entry, seal }) => (
              <li key={`${kind} ${entry} ${seal}`}>{texts.problems[kind](entry ?? seal ?? '')}</li>
            ))}
          </ul>
        )}
        {otherKey > 0 && <p>{texts.otherKey(otherKey)}</p>}
        {unsealed > 0 && <p>{texts.unsealed(unsealed)}</p>}
        {head && (
          <p>
            {texts.head(head.seal, formatDateTime(head.at))} <code className="ui-code">{head.hash}</code>
          </p>
        )}
      </div>
    </section>
  );
}
