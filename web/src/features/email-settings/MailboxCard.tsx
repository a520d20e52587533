import type { Mailbox, MailProvider } from '@forecourt/contract/email-settings';
import { Button, Loader, Select, TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import { ApiError } from '../../platform/api-error.ts';
import { useLiveQuery } from '../../platform/live-events.ts';
import { paths } from '../../platform/paths.ts';
import { useSession } from '../../platform/session.ts';
import { texts } from '../../texts/mailbox.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { FormMessage } from '../../ui/FormMessage.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { toastDone, toastFailed } from '../../ui/toasts.ts';
import { useRecordForm } from '../../ui/use-record-form.ts';
import { connectMailbox, emailSettingsKey, mailboxQuery, useMailbox } from './email-settings.queries.ts';
import styles from './EmailSettingsScreen.module.css';

/** The user's mailbox (docs/product/email.md, Connected mailboxes). Empty without a provider. */
export default function MailboxCard(): ReactNode {
  const query = useLiveQuery(mailboxQuery, 'email-settings', emailSettingsKey);
  const { data } = query;
  const isFinishing = useWayBack();

  if (!data) return <Loaded of={query} message={texts.loadFailed} />;
  if (data.providers.length === 0 && !data.connected) return null;
  return (
    <section className="ui-card" aria-labelledby="mailbox">
      <header className="ui-row ui-top ui-between ui-head">
        <div>
          <h2 id="mailbox">{texts.title}</h2>
          <p className="ui-quiet ui-anywhere">{texts.note}</p>
        </div>
      </header>
      <div className="ui-stack ui-pad">
        <FormMessage text={data.problem} />
        {isFinishing && (
          <output>
            <Loader size={16} /> {texts.finishing}
          </output>
        )}
        {data.connected ? <Connected {...data.connected} /> : <Connect providers={data.providers} />}
      </div>
    </section>
  );
}

/** Sends the provider's response to the server once, and removes it from the URL. */
function useWayBack(): boolean {
  const { code, state, error, error_description }: Record<string, string | undefined> = useSearch({
    strict: false,
  });
  const navigate = useNavigate();
  const { finish } = useMailbox();
  const begun = useRef(false);
  const bringBack = useEffectEvent(() => {
    if (begun.current || state === undefined) return;
    begun.current = true;
    void navigate({ to: paths.generalSettings, search: {}, replace: true });
    const answer =
      code === undefined ? { error: `${error ?? ''} ${error_description ?? ''}`.slice(0, 4096) } : { code };
    void finish.mutateAsync({ ...answer, state }).then(
      () => toastDone(texts.done),
      (thrown: Error) => toastFailed(null, `${texts.failed}. ${reasonOf(thrown)}`),
    );
  });
  useEffect(() => bringBack(), []);
  return finish.isPending;
}

const reasonOf = (thrown: Error): string => (thrown instanceof ApiError && thrown.details) || thrown.message;

function Connect({ providers }: { providers: readonly MailProvider[] }): ReactNode {
  const { user } = useSession();
  const [provider, setProvider] = useState<MailProvider>(providers[0]!);
  const form = useRecordForm({
    record: user,
    valuesOf: (own) => ({ address: own?.email ?? '' }),
    inputOf: ({ address }) => ({ provider, address }),
    schema: 'mailbox',
    failed: texts.failed,
    save: async (body) => {
      const { url } = await connectMailbox(body);
      window.location.assign(url);
    },
  });
  return (
    <form className={`ui-row ui-gap-4 ui-bottom ${styles.mailbox}`} onSubmit={form.onSubmit} noValidate>
      <FormMessage text={form.message} />
      <Select
        label={texts.provider}
        data={providers.map((value) => ({ value, label: texts.providers[value] }))}
        value={provider}
        onChange={(chosen) => chosen && setProvider(chosen)}
      />
      <TextInput label={texts.address} type="email" withAsterisk {...form.text('address')} />
      <Button type="submit" loading={form.busy}>
        {texts.connect}
      </Button>
    </form>
  );
}

function Connected({ provider, address }: NonNullable<Mailbox['connected']>): ReactNode {
  const { disconnect } = useMailbox();
  const [asks, setAsks] = useState(false);
  return (
    <div className={`ui-row ui-gap-4 ui-bottom ${styles.mailbox}`}>
      <p>{texts.connected(texts.providers[provider], address)}</p>
      <Button variant="default" onClick={() => setAsks(true)}>
        {texts.disconnect}
      </Button>
      {asks && (
        <ConfirmDialog
          title={texts.disconnectTitle}
          confirmLabel={texts.disconnect}
          destructive
          failed={texts.disconnectFailed}
          done={texts.disconnected}
          onConfirm={() => disconnect.mutateAsync()}
          onClose={() => setAsks(false)}
        >
          <p>{texts.disconnectQuestion(address)}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
