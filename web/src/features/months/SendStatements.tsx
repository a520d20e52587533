import type { SentStatements } from '@forecourt/contract/statement-mail';
import type { StatementEntry } from '@forecourt/contract/statements';
import { Button, Checkbox, Loader, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTimeZone } from '../../platform/deal-options.ts';
import { templatesQuery } from '../../platform/directory.ts';
import { formatDateTime, formatMoney } from '../../platform/formats.ts';
import { paths } from '../../platform/paths.ts';
import { texts } from '../../texts/statement-actions.ts';
import { texts as statementTexts } from '../../texts/statements.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { namedChoices } from '../../ui/choices.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { FormMessage } from '../../ui/FormMessage.tsx';
import { descriptionBelow } from '../../ui/FormModal.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { toggled } from '../../ui/table/selection.ts';
import { statementFailure, useSendStatements } from './statement-mail.queries.ts';

type SendStatementsProps = {
  month: string;
  /** The current account statements of the month. */
  statements: readonly StatementEntry[];
  onClose: () => void;
};

/** Sends account statements to their dealerships with a template (docs/product/month-close.md, Sending). */
export function SendStatements({ month, statements, onClose }: SendStatementsProps): ReactNode {
  const [sent, setSent] = useState<SentStatements | null>(null);
  const [isBusy, setBusy] = useState(false);
  return (
    <Dialog
      title={sent ? texts.sentTitle : texts.sendTitle(month)}
      size="md"
      closeOnClickOutside={false}
      onClose={() => isBusy || onClose()}
    >
      {sent ? (
        <Result {...sent} onClose={onClose} />
      ) : (
        <SendForm statements={statements} onBusy={setBusy} onSent={setSent} onClose={onClose} />
      )}
    </Dialog>
  );
}

type SendFormProps = Pick<SendStatementsProps, 'statements' | 'onClose'> & {
  onBusy: (isBusy: boolean) => void;
  onSent: (sent: SentStatements) => void;
};

function SendForm({ statements, onBusy, onSent, onClose }: SendFormProps): ReactNode {
  const templates = useQuery(templatesQuery);
  const choices = namedChoices(templates.data?.items.filter(({ status }) => status === 'active'));
  const [chosenTemplate, setTemplate] = useState<string | null>(null);
  const templateId = chosenTemplate ?? (choices.length === 1 ? choices[0]!.value : null);

  const unsent = statements.filter(({ sentAt }) => sentAt === null);
  const before = statements.filter(({ sentAt }) => sentAt !== null);
  // Two sets: a statement that a colleague sends meanwhile leaves the first, and is sent again only if it is ticked then.
  const [unticked, setUnticked] = useState<ReadonlySet<string>>(new Set());
  const [again, setAgain] = useState<ReadonlySet<string>>(new Set());
  const first = unsent.filter(({ _id }) => !unticked.has(_id));
  const repeated = before.filter(({ _id }) => again.has(_id));
  const count = first.length + repeated.length;
  const ids = (some: readonly StatementEntry[]): string[] => some.map(({ _id }) => _id);

  const { mutateAsync, isPending } = useSendStatements();
  const [message, setMessage] = useState<string | null>(null);
  const [progress, setProgress] = useState('');
  const send = async (): Promise<void> => {
    setMessage(null);
    onBusy(true);
    try {
      const body = {
        ids: [...ids(first), ...ids(repeated)],
        templateId: templateId!,
        ...(repeated.length > 0 && { again: ids(repeated) }),
      };
      const result = await mutateAsync({
        body,
        onProgress: ({ done, total }) => {
          if (done !== null && total !== null) setProgress(texts.progress(done, total));
        },
      });
      onSent(result);
    } catch (thrown) {
      setMessage(statementFailure(thrown));
    }
    setProgress('');
    onBusy(false);
  };

  const missing = templateId === null ? texts.chooseTemplate : count === 0 ? texts.chooseStatements : true;
  return (
    <>
      <div className="ui-stack">
        <FormMessage text={message} />
        <p>{texts.sendNote}</p>
        <Loaded of={templates} message={texts.templatesFailed} loading={<Loader size={20} />}>
          <Select
            label={texts.template}
            description={texts.templateHint}
            {...descriptionBelow}
            placeholder={texts.chooseTemplate}
            data={choices}
            value={templateId}
            searchable={choices.length > 8}
            disabled={isPending}
            onChange={setTemplate}
            error={choices.length === 0 && texts.noTemplate}
          />
        </Loaded>
        <fieldset className="ui-stack ui-gap-3" disabled={isPending}>
          <legend className="ui-strong ui-mb-2">{texts.statements}</legend>
          {unsent.length > 1 && (
            <Checkbox
              label={texts.allUnsent(unsent.length)}
              checked={first.length === unsent.length}
              indeterminate={first.length > 0 && first.length < unsent.length}
              onChange={() => setUnticked(new Set(first.length === unsent.length ? ids(unsent) : []))}
            />
          )}
          <ul className="ui-stack ui-gap-3 ui-scroll">
            {statements.map((statement) => (
              <li key={statement._id}>
                <Choice
                  statement={statement}
                  isTicked={first.includes(statement) || repeated.includes(statement)}
                  onToggle={() =>
                    statement.sentAt === null
                      ? setUnticked(toggled(unticked, [], statement._id))
                      : setAgain(toggled(again, [], statement._id))
                  }
                />
              </li>
            ))}
          </ul>
        </fieldset>
      </div>
      <div className="ui-stays ui-mt-5">
        <div role="status" className={repeated.length > 0 ? 'ui-mb-3' : ''}>
          {repeated.length > 0 && <Notice>{texts.sentAgain(repeated.length)}</Notice>}
        </div>
        <div className="ui-row ui-end">
          <p className="ui-pull ui-muted" aria-live="polite">
            {progress}
          </p>
          <Button variant="default" disabled={isPending} onClick={onClose}>
            {texts.cancel}
          </Button>
          <ActionButton loading={isPending} ability={missing} onClick={() => void send()}>
            {texts.submit(count)}
          </ActionButton>
        </div>
      </div>
    </>
  );
}

type ChoiceProps = { statement: StatementEntry; isTicked: boolean; onToggle: () => void };

function Choice({ statement, isTicked, onToggle }: ChoiceProps): ReactNode {
  const { recipientName, number, totals, sentAt } = statement;
  const timeZone = useTimeZone();
  const facts = [number, formatMoney(totals.total)];
  if (sentAt !== null) facts.push(texts.sentOn(formatDateTime(sentAt, timeZone)));
  return (
    <Checkbox
      label={
        <span className="ui-row ui-anywhere">
          {recipientName}
          {sentAt !== null && <StatusBadge tone="accent">{statementTexts.badges.sent}</StatusBadge>}
        </span>
      }
      description={facts.join(' · ')}
      checked={isTicked}
      onChange={onToggle}
    />
  );
}

/** The focused button was unmounted. */
const focusAtOnce = (button: HTMLElement | null): void => button?.focus();

/** What was sent, and the dealerships that could not be sent to. */
function Result({ _id, total, refused, onClose }: SentStatements & { onClose: () => void }): ReactNode {
  return (
    <>
      <div className="ui-stack">
        <p role="status">{texts.sent(total)}</p>
        {refused.length > 0 && (
          <section className="ui-stack ui-gap-2" aria-label={texts.notSent(refused.length)}>
            <h3 className="ui-strong">{texts.notSent(refused.length)}</h3>
            <ul className="ui-lines ui-scroll">
              {refused.map(({ statementId, dealershipName, problems }) => (
                <li key={statementId}>
                  {dealershipName}
                  <span className="ui-sub ui-anywhere">{problems.join(' ')}</span>
                </li>
              ))}
            </ul>
            <p className="ui-muted">{texts.notSentNext}</p>
          </section>
        )}
      </div>
      <div className="ui-row ui-end ui-mt-5">
        <Button className="ui-pull" variant="subtle" component={Link} to={paths.emailHistoryOf(_id)}>
          {texts.history}
        </Button>
        <Button ref={focusAtOnce} onClick={onClose}>
          {texts.close}
        </Button>
      </div>
    </>
  );
}
