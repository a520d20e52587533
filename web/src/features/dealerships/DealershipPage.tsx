import { commissionType } from '@forecourt/contract/commission-type';
import type { DealershipChange, DealershipTimelineEntry } from '@forecourt/contract/dealership-timeline';
import type { Dealership } from '@forecourt/contract/dealerships';
import type { EmailLogEntry } from '@forecourt/contract/email-sending';
import { Anchor, Button } from '@mantine/core';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Link, useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import Building2 from 'lucide-react/icons/building-2';
import Pencil from 'lucide-react/icons/pencil';
import X from 'lucide-react/icons/x';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { ApiError } from '../../platform/api-error.ts';
import { useDealOptions, useTimeZone } from '../../platform/deal-options.ts';
import { templatesQuery } from '../../platform/directory.ts';
import { formatCount, formatDateTime, formatMoney } from '../../platform/formats.ts';
import { useLiveRefresh } from '../../platform/live-events.ts';
import { paths } from '../../platform/paths.ts';
import { usePermissions } from '../../platform/permissions.ts';
import { rowsOfLink } from '../../platform/rows-link.ts';
import { texts as appTexts } from '../../texts/app.ts';
import { texts } from '../../texts/dealership-page.ts';
import { texts as common } from '../../texts/dealerships.ts';
import { texts as timelineTexts } from '../../texts/timeline.ts';
import { abilityText } from '../../ui/ability.ts';
import { ActionButton, IconAction } from '../../ui/ActionButton.tsx';
import { Card } from '../../ui/Card.tsx';
import { ChangeEntry } from '../../ui/ChangeEntry.tsx';
import { EmailEntry } from '../../ui/EmailEntry.tsx';
import { EmailStatusBadge } from '../../ui/EmailState.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Loaded, LoadingCard } from '../../ui/Loaded.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { isKeyOfPage, useRecordTitle } from '../../ui/record-page.ts';
import { Segments } from '../../ui/Segments.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { useWindowKey } from '../../ui/use-window-key.ts';
import { contactLine, DealershipForm, defaultTemplateOf } from './DealershipForm.tsx';
import {
  dealershipQuery,
  figuresKey,
  figuresQuery,
  timelineKey,
  timelineQuery,
} from './dealerships.queries.ts';
import styles from './DealershipPage.module.css';

/** Minimum time between reloads after changes of the figures of any dealership, in milliseconds. */
const REST_MS = 5000;

/** A dealership's page above the list, which stays mounted (docs/product/dealerships.md, A page for one dealership). */
export default function DealershipPage({ id }: { id: string }): ReactNode {
  const query = useQuery(dealershipQuery(id));
  const { data, error } = query;
  const isGone = error instanceof ApiError && error.status === 404;
  const dealership = isGone ? undefined : data;
  const [isEditing, setEditing] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const { history } = useRouter();
  const { canGoBack = false } = useLocation().state;
  useRecordTitle(dealership?.name);
  useEffect(() => {
    root.current?.focus({ preventScroll: true });
    // Focuses the row from which the page was opened.
    return () =>
      document
        .querySelector<HTMLElement>(`a[href="${paths.dealershipPage(id)}"]`)
        ?.focus({ preventScroll: true });
  }, [id]);
  const close = (): void => {
    if (canGoBack) history.back();
    else void navigate({ to: paths.dealerships });
  };
  useWindowKey((event) => {
    if (event.key !== 'Escape' || event.altKey || !isKeyOfPage(event, root.current)) return;
    event.preventDefault();
    close();
  });

  return (
    <div ref={root} tabIndex={-1} className={styles.page}>
      <Page wide>
        <PageHeader
          title={dealership?.name ?? (isGone ? texts.title : appTexts.loading)}
          note={dealership?.address}
          actions={
            <>
              {dealership && (
                <ActionButton
                  variant="default"
                  leftSection={<Pencil />}
                  ability={abilityText(dealership.abilities.edit, common.reasons)}
                  onClick={() => setEditing(true)}
                >
                  {texts.edit}
                </ActionButton>
              )}
              <IconAction label={texts.close} icon={X} onClick={close} />
            </>
          }
        />
        {isGone ? (
          <EmptyState
            icon={<Building2 />}
            title={texts.gone}
            action={
              <Button variant="default" component={Link} to={paths.dealerships}>
                {texts.toList}
              </Button>
            }
          />
        ) : (
          <Loaded of={query} message={texts.loadFailed} loading={<LoadingCard />}>
            {dealership && <Parts dealership={dealership} />}
          </Loaded>
        )}
      </Page>
      {isEditing && dealership && (
        <DealershipForm dealership={dealership} onClose={() => setEditing(false)} />
      )}
    </div>
  );
}

function Parts({ dealership }: { dealership: Dealership }): ReactNode {
  useLiveRefresh('email', timelineKey);
  const timeline = useQuery(timelineQuery(dealership._id));
  const entries = timeline.data?.items ?? [];
  const emails = entries.flatMap((entry) => (entry.kind === 'email' ? [entry.email] : []));
  return (
    <div className={styles.parts}>
      <div className="ui-stack">
        <Details dealership={dealership} />
        <Contacts dealership={dealership} emails={emails} />
        <MonthFigures id={dealership._id} />
      </div>
      <Timeline query={timeline} entries={entries} />
    </div>
  );
}

function Details({ dealership }: { dealership: Dealership }): ReactNode {
  const { name, active, ownerName, defaultEmailTemplateId } = dealership;
  const { data } = useQuery(templatesQuery);
  const template = defaultTemplateOf(data?.items, defaultEmailTemplateId);
  return (
    <Card
      title={texts.details}
      aside={
        <StatusBadge tone={active ? 'good' : 'neutral'}>
          {active ? common.active : common.inactive}
        </StatusBadge>
      }
    >
      <dl className="ui-facts">
        <dt>{texts.owner}</dt>
        <dd>{ownerName}</dd>
        <dt>{common.defaultTemplate}</dt>
        <dd>{template?.name ?? texts.none}</dd>
        <dt>{texts.commission}</dt>
        <dd>{common.commission[commissionType(name)]}</dd>
      </dl>
    </Card>
  );
}

type ContactsProps = { dealership: Dealership; emails: readonly EmailLogEntry[] };

/** The contacts, each with the newest email that the user may see. */
function Contacts({ dealership: { contacts }, emails }: ContactsProps): ReactNode {
  const timeZone = useTimeZone();
  const lastOf = (address: string): EmailLogEntry | undefined =>
    emails.find(({ to, cc }) => [...to, ...cc].some((each) => each.toLowerCase() === address.toLowerCase()));
  return (
    <Card title={common.contacts}>
      {contacts.length === 0 && <p className="ui-muted">{texts.noContacts}</p>}
      <ul className="ui-lines">
        {contacts.map((contact, index) => {
          const last = lastOf(contact.email);
          return (
            // oxlint-disable-next-line react/no-array-index-key -- contacts have no id
            <li key={index}>
              <p className="ui-anywhere">{contactLine(contact)}</p>
              <p className="ui-row ui-quiet">
                {last ? (
                  <>
                    {texts.lastEmail} {formatDateTime(last.sentAt ?? last.createdAt, timeZone)}
                    <EmailStatusBadge status={last.status} />
                  </>
                ) : (
                  texts.noEmail
                )}
              </p>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

/** Deals and sales of the current month, for users who see dealerships in Data Entry. */
function MonthFigures({ id }: { id: string }): ReactNode {
  const hasPage = usePermissions().page('dataEntry');
  const { data: options } = useDealOptions(hasPage);
  const month = options?.currentMonth ?? '';
  const isVisible =
    options?.columns.includes('dealershipId') === true && options.dealerships.some(({ _id }) => _id === id);
  useLiveRefresh('deal', figuresKey, REST_MS);
  const { data } = useQuery({ ...figuresQuery(id, month), enabled: isVisible });
  if (!data) return null;
  return (
    <Card
      title={texts.month(month)}
      aside={
        <Anchor
          renderRoot={(props) => <Link {...props} {...rowsOfLink(month, 'dealershipId', id)} />}
          size="sm"
        >
          {texts.rows}
        </Anchor>
      }
    >
      <dl className="ui-totals">
        <div>
          <dt>{texts.deals}</dt>
          <dd>{formatCount(data.total)}</dd>
        </div>
        {data.saleAmount !== undefined && (
          <div>
            <dt>{texts.sale}</dt>
            <dd>{formatMoney(data.saleAmount)}</dd>
          </div>
        )}
      </dl>
    </Card>
  );
}

type Kind = keyof typeof timelineTexts.kinds;

type TimelineProps = {
  query: UseQueryResult;
  entries: readonly DealershipTimelineEntry[];
};

function Timeline({ query, entries }: TimelineProps): ReactNode {
  const timeZone = useTimeZone();
  const [kind, setKind] = useState<Kind>('all');
  const visibleEntries = entries.filter(
    (entry) => kind === 'all' || (kind === 'emails') === (entry.kind === 'email'),
  );
  return (
    <Card
      title={timelineTexts.title}
      aside={
        <Segments
          size="xs"
          aria-label={timelineTexts.show}
          labels={timelineTexts.kinds}
          value={kind}
          onChange={setKind}
        />
      }
    >
      <Loaded of={query} message={timelineTexts.failed}>
        {query.data !== undefined && visibleEntries.length === 0 && (
          <EmptyState title={timelineTexts.nothing[kind]}>{timelineTexts.nothingNote}</EmptyState>
        )}
        <ol className="ui-lines">
          {visibleEntries.map((entry) => (
            <li key={entry.kind === 'email' ? entry.email._id : entry.change._id}>
              {entry.kind === 'email' ? (
                <EmailEntry email={entry.email} timeZone={timeZone} />
              ) : (
                <Change change={entry.change} timeZone={timeZone} />
              )}
            </li>
          ))}
        </ol>
      </Loaded>
    </Card>
  );
}

function Change({ change, timeZone }: { change: DealershipChange; timeZone: string }): ReactNode {
  const { action, changes, ...entry } = change;
  return (
    <ChangeEntry
      {...entry}
      done={texts.done[action]}
      timeZone={timeZone}
      changes={changes.map(({ field, before, after }) => ({
        name: texts.fields[field],
        before: action === 'created' ? null : valueText(before),
        after: valueText(after),
      }))}
    />
  );
}

function valueText(value: DealershipChange['changes'][number]['after']): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0))
    return timelineTexts.empty;
  if (typeof value === 'boolean') return value ? common.active : common.inactive;
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return contactLine(value);
  return value.map(({ name, permissions }) => `${name} (${texts.level[permissions]})`).join(', ');
}
