import { Button, PasswordInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { texts } from '../../texts/auth.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { FormModal } from '../../ui/FormModal.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { toastDone } from '../../ui/toasts.ts';
import { requiredPassword, useForm } from '../../ui/use-form.ts';
import { twoStepQuery, useNewRecoveryCodes, useRefreshTwoStep, useTurnOffTwoStep } from './auth.queries.ts';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { TwoStepSetup } from './TwoStepSetup.tsx';
import styles from './AccountScreen.module.css';

/** The user's two-step sign-in: set-up, turning off, new recovery codes. */
export function TwoStepCard(): ReactNode {
  const query = useQuery(twoStepQuery);
  const { data } = query;
  const refresh = useRefreshTwoStep();
  const [isSettingUp, setSettingUp] = useState(false);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const done = async (): Promise<void> => {
    await refresh();
    setSettingUp(false);
    setCodes(null);
  };

  return (
    <section className="ui-card ui-pad" aria-labelledby="own-two-step">
      <div className="ui-row">
        <h2 id="own-two-step">{texts.twoStep}</h2>
        {data && (
          <StatusBadge tone={data.on ? 'good' : 'neutral'}>{data.on ? texts.on : texts.off}</StatusBadge>
        )}
      </div>
      <p className={styles.words}>{texts.twoStepCard}</p>
      <Loaded of={query} />
      {codes !== null && <RecoveryCodes codes={codes} onDone={done} />}
      {isSettingUp && (
        <div className={styles.setup}>
          <TwoStepSetup
            onDone={done}
            wayOut={
              <Button variant="default" onClick={() => void done()}>
                {texts.cancel}
              </Button>
            }
          />
        </div>
      )}
      {data && codes === null && !isSettingUp && (
        <Choices state={data} onSetUp={() => setSettingUp(true)} onCodes={setCodes} />
      )}
    </section>
  );
}

type ChoicesProps = {
  state: { on: boolean; required: boolean; recoveryCodesLeft: number };
  onSetUp: () => void;
  onCodes: (codes: readonly string[]) => void;
};

function Choices({ state, onSetUp, onCodes }: ChoicesProps): ReactNode {
  const newCodes = useNewRecoveryCodes();
  const turnOff = useTurnOffTwoStep();
  const [asking, setAsking] = useState<'newCodes' | 'turnOff' | null>(null);
  const onClose = (): void => setAsking(null);
  if (!state.on) return <Button onClick={onSetUp}>{texts.setUp}</Button>;
  return (
    <>
      <p className={styles.words}>{texts.codesLeft(state.recoveryCodesLeft)}</p>
      <div className="ui-row">
        <Button variant="default" onClick={() => setAsking('newCodes')}>
          {texts.newCodes}
        </Button>
        <ActionButton
          variant="default"
          ability={state.required ? texts.twoStepRequired : true}
          onClick={() => setAsking('turnOff')}
        >
          {texts.turnOff}
        </ActionButton>
      </div>
      {asking === 'newCodes' && (
        <PasswordQuestion
          title={texts.newCodes}
          text={texts.newCodesWhat}
          submitLabel={texts.makeCodes}
          onClose={onClose}
          submit={async (body) => onCodes((await newCodes.mutateAsync({ body })).recoveryCodes)}
        />
      )}
      {asking === 'turnOff' && (
        <PasswordQuestion
          title={texts.turnOffTitle}
          text={texts.turnOffWhat}
          submitLabel={texts.turnOff}
          onClose={onClose}
          submit={async (body) => {
            await turnOff.mutateAsync({ body });
            toastDone(texts.turnedOff);
            onClose();
          }}
        />
      )}
    </>
  );
}

type PasswordQuestionProps = {
  title: string;
  text: string;
  submitLabel: string;
  submit: (values: { currentPassword: string }) => Promise<void>;
  onClose: () => void;
};

/** Requires the password again before an action that must not be possible in an open session left behind. */
function PasswordQuestion({ title, text, submitLabel, submit, onClose }: PasswordQuestionProps): ReactNode {
  const form = useForm({
    initial: { currentPassword: '' },
    validate: requiredPassword({ currentPassword: texts.passwordRequired }),
    submit,
  });
  return (
    <FormModal title={title} size="sm" form={form} submitLabel={submitLabel} onClose={onClose}>
      <p>{text}</p>
      <PasswordInput
        label={texts.currentPassword}
        autoComplete="current-password"
        data-autofocus
        {...form.text('currentPassword')}
      />
    </FormModal>
  );
}
