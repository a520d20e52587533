import { PasswordInput } from '@mantine/core';
import { generate } from 'lean-qr';
import { toSvgPath } from 'lean-qr/extras/svg';
import { useEffect, useRef, useState, type ReactNode, useMemo } from 'react';
import { texts } from '../../texts/auth.ts';
import { required, requiredPassword, useForm } from '../../ui/use-form.ts';
import { beginTwoStep, confirmTwoStep } from './auth.queries.ts';
import { AuthForm } from './AuthLayout.tsx';
import { CodeField } from './CodeField.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import styles from './TwoStep.module.css';

type TwoStepSetupProps = {
  /** Called when the user leaves the recovery codes. */
  onDone: () => Promise<void>;
  /** A button that leaves an incomplete set-up. */
  wayOut: ReactNode;
};

type App = { secret: string; uri: string };

/** Sets up an authenticator app in three steps: password, first code of the app, recovery codes. */
export function TwoStepSetup({ onDone, wayOut }: TwoStepSetupProps): ReactNode {
  const [app, setApp] = useState<App | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes !== null) return <RecoveryCodes codes={codes} onDone={onDone} />;
  if (app !== null) return <FirstCode app={app} onCodes={setCodes} wayOut={wayOut} />;
  return <Password onApp={setApp} wayOut={wayOut} />;
}

function Password({ onApp, wayOut }: { onApp: (app: App) => void; wayOut: ReactNode }): ReactNode {
  const form = useForm({
    initial: { currentPassword: '' },
    validate: requiredPassword({ currentPassword: texts.passwordRequired }),
    submit: async ({ currentPassword }) => onApp(await beginTwoStep(currentPassword)),
  });
  return (
    <AuthForm form={form} submitLabel={texts.goOn} beside={wayOut}>
      <PasswordInput
        label={texts.currentPassword}
        description={texts.passwordAgain}
        autoComplete="current-password"
        {...form.text('currentPassword')}
      />
    </AuthForm>
  );
}

type FirstCodeProps = { app: App; onCodes: (codes: readonly string[]) => void; wayOut: ReactNode };

function FirstCode({ app, onCodes, wayOut }: FirstCodeProps): ReactNode {
  const beginning = useRef<HTMLParagraphElement>(null);
  // Screen readers need a focus, because the focused field has been unmounted.
  useEffect(() => beginning.current?.focus(), []);
  const form = useForm({
    initial: { code: '' },
    validate: required({ code: texts.codeRequired }),
    submit: async ({ code }) => onCodes((await confirmTwoStep(code)).recoveryCodes),
  });
  return (
    <AuthForm form={form} submitLabel={texts.turnOn} beside={wayOut}>
      <p ref={beginning} className={styles.words} tabIndex={-1}>
        {texts.scan}
      </p>
      <QrCode text={app.uri} label={texts.qrCode} />
      <div className={styles.words}>
        {texts.orType}
        <code className={styles.secret}>{app.secret.replace(/.{4}(?=.)/g, '$& ')}</code>
      </div>
      <CodeField kind="app" description={texts.firstCode} {...form.text('code')} />
    </AuthForm>
  );
}

/** Quiet zone in modules, which readers require. */
const MARGIN = 4;

/** A QR code as SVG, black on white in both themes. */
function QrCode({ text, label }: { text: string; label: string }): ReactNode {
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
