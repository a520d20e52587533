import type { ChangedDeal } from '@forecourt/contract/dashboard';
import type { ColumnFilter } from '@forecourt/contract/deal-filter-fields';
import type { DealStatus } from '@forecourt/contract/deals';
import { fixedStatuses } from '@forecourt/contract/fixed-statuses';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useDealOptions, useTimeZone } from '../../platform/deal-options.ts';
import { formatCount, formatDateTime, formatMonthName } from '../../platform/formats.ts';
import { paths } from '../../platform/paths.ts';
import { dealLink, isRecord, linkTo, rowsLink, type ScreenLink } from '../../platform/rows-link.ts';
import { useSession } from '../../platform/session.ts';
import { texts } from '../../texts/dashboard.ts';
import { fieldInSentence } from '../../texts/deal-actions.ts';
import { texts as loadingTexts } from '../../texts/loading.ts';
import { Card } from '../../ui/Card.tsx';
import { changesQuery, failedEmailsQuery, toCallQuery } from './dashboard.queries.ts';
import styles from './Lists.module.css';

function describe({ byName, fields, customFields }: ChangedDeal): string {
  const changed = [...fields.map(fieldInSentence), ...customFields];
  return texts.changed(byName, changed.join(', '));
}

/** Maximum number of entries, so that other lists stay visible. */
const MAX_ENTRIES = 10;

/** Changes by other users to the user's rows since the last visit. */
export function Changes(): ReactNode {
  const { data, isLoading } = useQuery(changesQuery);
  const timeZone = useTimeZone();
  if (!data) return isLoading && <LoadingList title={texts.changes} />;
  const { total, since } = data;
  const items = data.items.slice(0, MAX_ENTRIES);
  return (
    <ListCard
      title={texts.changes}
      aside={since === null ? undefined : texts.since(formatDateTime(since, timeZone))}
      none={since === null ? texts.firstVisit : texts.nothingChanged}
      entries={items.map((row) => ({
        id: row._id,
        link: dealLink(row._id),
        name: row.customerName ?? texts.someone,
        note: describe(row),
        when: formatDateTime(row.at, timeZone),
      }))}
      more={total > items.length ? texts.moreChanges(total - items.length) : undefined}
    />
  );
}

/** The newest failed emails with the mail server's response. Each is a link to the history. */
export function FailedEmails(): ReactNode {
  const { data, isLoading } = useQuery(failedEmailsQuery);
  const timeZone = useTimeZone();
  if (!data) return isLoading && <LoadingList title={texts.failedEmails} />;
  return (
    <ListCard
      title={texts.failedEmails}
      aside={data.total === 0 ? undefined : texts.failedCount(formatCount(data.total))}
      none={texts.nothingFailed}
      entries={data.items.map(({ _id, subject, answer, createdAt }) => ({
        id: _id,
        link: linkTo(paths.email(_id), {}),
        name: subject,
        note: answer,
        when: formatDateTime(createdAt, timeZone),
      }))}
    />
  );
}

/** The next follow-up calls by due time, with a link to those of the month. */
export function ToCall({ month }: { month: string | undefined }): ReactNode {
  const { data, dataUpdatedAt, isLoading } = useQuery(toCallQuery);
  const { data: options } = useDealOptions();
  const { user } = useSession();
  const timeZone = useTimeZone();
  if (!data) return isLoading && <LoadingList title={texts.toCall} />;
  const { items, total, totalIsCapped } = data;
  const now = new Date(dataUpdatedAt).toISOString();
  const visibleItems = items.slice(0, MAX_ENTRIES);
  return (
    <ListCard
      title={texts.toCall}
      aside={
        <>
          {total > visibleItems.length
            ? texts.toCallAll(visibleItems.length, `${totalIsCapped ? 'over ' : ''}${formatCount(total)}`)
            : formatCount(total)}
          {total > 0 && month !== undefined && options && user && (
            <>
              {' · '}
              <Link
                className={styles.all}
                {...rowsLink({ month, filter: waitsForCall(user.userId, options.statuses) })}
              >
                {texts.allOf(formatMonthName(month))}
              </Link>
            </>
          )}
        </>
      }
      none={`${texts.nobodyToCall} ${texts.nobodyToCallNote}`}
      entries={visibleItems.map((call) => ({
        id: call._id,
        link: dealLink(call._id),
        name: call.customerName ?? texts.someone,
        note: [call.customerNumber, call.dealershipName].filter(Boolean).join(' · '),
        ...dueOf(call.followUpAt, now, timeZone),
      }))}
    />
  );
}

/** Returns the condition by which the server selects the rows to call. */
function waitsForCall(userId: string, statuses: readonly DealStatus[]): ColumnFilter {
  const closed = statuses.filter(({ isClosed }) => isClosed).map(({ _id }) => _id);
  return {
    match: 'all',
    conditions: [
      isRecord('owner', userId),
      ...(closed.length > 0 ? [{ field: 'status', operator: 'isNoneOf', value: closed } as const] : []),
      {
        match: 'any',
        conditions: [
          isRecord('status', fixedStatuses.toCall),
          { field: 'followUpAt', operator: 'isNotEmpty' },
        ],
      },
    ],
  };
}

function dueOf(at: string | null, now: string, timeZone: string): Pick<Entry, 'when' | 'isLate'> {
  if (at === null) return { when: texts.noTime };
  const isLate = at <= now;
  return { when: `${isLate ? `${texts.overdue} · ` : ''}${formatDateTime(at, timeZone)}`, isLate };
}

type Entry = {
  readonly id: string;
  readonly link: ScreenLink;
  readonly name: string;
  readonly note: string;
  readonly when: string;
  readonly isLate?: boolean;
};

type ListCardProps = {
  title: string;
  aside: ReactNode;
  /** Shown if the list is empty. */
  none: string;
  entries: readonly Entry[];
  /** Says how many entries are not listed. */
  more?: string | undefined;
};

/** A placeholder of a list, so that the loaded list does not move others. */
const LoadingList = ({ title }: { title: string }): ReactNode => (
  <Card title={title}>
    <output className="ui-quiet">{loadingTexts.loading}</output>
  </Card>
);

function ListCard({ title, aside, none, entries, more }: ListCardProps): ReactNode {
  return (
    <Card title={title} aside={aside}>
      {entries.length === 0 ? (
        <p className="ui-quiet">{none}</p>
      ) : (
        <ul className={styles.list}>
          {entries.map(({ id, link, name, note, when, isLate }) => (
            <li key={id}>
              <Link className={styles.entry} {...link}>
                <span className="ui-ellipsis ui-strong">{name}</span>
                <span className={`ui-quiet ${styles.note}`}>{note}</span>
                <span className={`ui-quiet ${styles.when}`} data-late={isLate || undefined}>
                  {when}
                </span>
              </Link>
            </li>
          ))}
          {more !== undefined && (
            <li>
              <span className={styles.entry}>{more}</span>
            </li>
          )}
        </ul>
      )}
    </Card>
  );
}
