import { Button } from '@mantine/core';
import Copy from 'lucide-react/icons/copy';
import Printer from 'lucide-react/icons/printer';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useSession } from '../../platform/session.ts';
import { texts } from '../../texts/auth.ts';
import { copyText } from '../../ui/copy-text.ts';
import { LeaveWarning } from '../../ui/LeaveWarning.tsx';
import { toastDone, toastWarning } from '../../ui/toasts.ts';
import styles from './TwoStep.module.css';

type RecoveryCodesProps = { codes: readonly string[]; onDone: () => Promise<void> };

/** The recovery codes, which the server returns only once: to copy, print, or write down. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps): ReactNode {
  const { user } = useSession();
  const [busy, setBusy] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  // The focused field has been unmounted.
  useEffect(() => heading.current?.focus(), []);

  const copy = (): void => {
    if (copyText(codes.join('\n'))) toastDone(texts.copied);
    else toastWarning(texts.copyByHand);
  };
  const goOn = (): void => {
    setBusy(true);
    void onDone().finally(() => setBusy(false));
  };
  return (
    <div className="ui-stack">
      <LeaveWarning when={!busy} title={texts.codesLeave} confirmLabel={texts.leave}>
        {texts.codesLeaveWhat}
      </LeaveWarning>
      <div className={`ui-stack ui-gap-3 ${styles.sheet}`}>
        <h2 ref={heading} className={styles.sheetTitle} tabIndex={-1}>
          {texts.recoveryCodes}
        </h2>
        <p className={styles.words}>{texts.recoveryCodesNote}</p>
        <p className={styles.account}>{texts.recoveryCodesOf(user?.email ?? '')}</p>
        <ol className={styles.codes}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
      </div>
      <div className="ui-line ui-mt-2">
        <Button variant="default" leftSection={<Copy />} onClick={copy}>
          {texts.copy}
        </Button>
        <Button variant="default" leftSection={<Printer />} onClick={() => window.print()}>
          {texts.print}
        </Button>
      </div>
      <div className="ui-line ui-mt-2">
        <Button loading={busy} onClick={goOn}>
          {texts.codesKept}
        </Button>
      </div>
    </div>
  );
}
