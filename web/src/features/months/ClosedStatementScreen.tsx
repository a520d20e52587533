import { totalsInWords } from '@forecourt/contract/statement-words';
import type { ClosedStatement, StatementFormat } from '@forecourt/contract/statements';
import { Button } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import Download from 'lucide-react/icons/download';
import Eye from 'lucide-react/icons/eye';
import Printer from 'lucide-react/icons/printer';
import type { ReactNode } from 'react';
import { call } from '../../platform/api.ts';
import { useTimeZone } from '../../platform/deal-options.ts';
import { startDownload } from '../../platform/files.ts';
import { formatDateTime, formatMoney, formatPercent } from '../../platform/formats.ts';
import { useLiveQuery } from '../../platform/live-events.ts';
import { paths } from '../../platform/paths.ts';
import { usePermissions } from '../../platform/permissions.ts';
import { linkTo } from '../../platform/rows-link.ts';
import { viewing } from '../../platform/view-as.ts';
import { texts as monthTexts } from '../../texts/months.ts';
import { texts } from '../../texts/statements.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { ButtonMenu, MenuAction } from '../../ui/ButtonMenu.tsx';
import { Card } from '../../ui/Card.tsx';
import { Loaded, LoadingCard } from '../../ui/Loaded.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { useRecordTitle } from '../../ui/record-page.ts';
import { toastFailed, toastOutcome } from '../../ui/toasts.ts';
import { useOpener } from '../../ui/use-opener.ts';
import { Conversation } from './Conversation.tsx';
import { statementsKey } from './months.queries.ts';
import { statedOn, statementQuery, useSee } from './statements.queries.ts';
import { Adjustments, Lines } from './StatementTables.tsx';
import printed from '../../ui/PrintedTable.module.css';

/** A frozen statement of a closed month: on screen and for print (docs/product/month-close.md, Statements). */
export default function ClosedStatementScreen(): ReactNode {
  const { id = '' }: { id?: string } = useParams({ strict: false });
  const query = useLiveQuery(statementQuery(id), statedOn, statementsKey);
  const { data } = query;
  useRecordTitle(data && `${texts.kinds[data.kind]} ${data.number}`);
  return (
    <Page>
      <PageHeader
        title={
          data ? (
            <>
              {texts.kinds[data.kind]} <span className="ui-nowrap">{data.number}</span>
            </>
          ) : (
            texts.title
          )
        }
        note={data ? texts.ofRecipient(data.recipientName, data.month) : ' '}
        actions={data && <Actions {...data} />}
      />
      <Loaded of={query} message={texts.statementFailed} loading={<LoadingCard />}>
        {data && <Statement {...data} />}
      </Loaded>
    </Page>
  );
}

function Actions({ _id, month, abilities }: ClosedStatement): ReactNode {
  const permissions = usePermissions();
  const { mutateAsync, isPending } = useSee();
  const mayClose = permissions.page('dataEntry') && permissions.feature('closeMonths');
  const link = mayClose ? linkTo(paths.monthClose, { month }) : linkTo(paths.statements, {});
  const see = (): void => toastOutcome(mutateAsync({ params: { id: _id } }), texts.seen, texts.seeFailed);
  return (
    <div className={`ui-row ${printed.screenOnly}`}>
      <Button variant="default" renderRoot={(props) => <Link {...props} {...link} />}>
        {mayClose ? texts.allOf(month) : texts.allOwn}
      </Button>
      <Button variant="default" leftSection={<Printer />} onClick={() => window.print()}>
        {texts.print}
      </Button>
      <StatementDownload _id={_id} />
      {abilities.see === true && (
        <Button leftSection={<Eye />} loading={isPending} onClick={see}>
          {texts.see}
        </Button>
      )}
    </div>
  );
}

/** Renders all rows at once, so that all of them are printed. */
function Statement(statement: ClosedStatement): ReactNode {
  const { month, companyName, closedByName, closedAt, isSuperseded, waivers, recipientName, digest } =
    statement;
  const zone = useTimeZone();
  const closed = formatDateTime(closedAt, zone);
  return (
    <div className="ui-stack">
      {isSuperseded && <Notice>{texts.supersededNotice(month)}</Notice>}
      <p className="ui-muted">{texts.printed(companyName, closedByName, closed)}</p>
      <Totals {...statement} />
      <Lines {...statement} />
      <Adjustments {...statement} zone={zone} />
      {waivers.length > 0 && (
        <Card title={texts.waivers}>
          <ul className="ui-lines">
            {waivers.map(({ check, rows, reason, waivedByName, waivedAt }) => (
              <li key={check} className="ui-anywhere">
                <span className="ui-strong">{monthTexts.checks[check].label}</span>{' '}
                <span className="ui-muted">{texts.waivedRows(rows)}</span>
                <span className="ui-sub">
                  {monthTexts.waivedBy(waivedByName, formatDateTime(waivedAt, zone))}: {reason}
                </span>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <div className={printed.screenOnly}>
        <Conversation {...statement} zone={zone} />
      </div>
      <p className="ui-quiet ui-anywhere">{texts.digest(digest)}</p>
      <div className={printed.signatures}>
        <p>{texts.signature(recipientName)}</p>
        <p>{texts.signature(companyName)}</p>
      </div>
    </div>
  );
}

function Totals(statement: ClosedStatement): ReactNode {
  // Without adjustments the total of the rows below is the total.
  const totals = totalsInWords(statement, { formatPercent }).slice(statement.adjustments.length > 0 ? 0 : 1);
  return (
    <dl className="ui-totals" aria-label={texts.totals}>
      {totals.map(([name, amount]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{formatMoney(amount)}</dd>
        </div>
      ))}
    </dl>
  );
}

const FORMATS: readonly StatementFormat[] = ['pdf', 'csv', 'xlsx'];

/** The menu that downloads a statement as a file. */
function StatementDownload({ _id }: Pick<ClosedStatement, '_id'>): ReactNode {
  const menu = useOpener('menu');
  const download = async (format: StatementFormat): Promise<void> => {
    const { url } = await call('POST /statements/:id/download-ticket', {
      params: { id: _id },
      body: { format },
    });
    startDownload(url);
  };
  if (viewing !== null)
    return (
      <ActionButton variant="default" leftSection={<Download />} ability={texts.notWhileViewing}>
        {texts.download}
      </ActionButton>
    );
  return (
    <>
      <Button {...menu.button} variant="default" leftSection={<Download />}>
        {texts.download}
      </Button>
      {menu.part && (
        <ButtonMenu part={menu.part} position="bottom-end">
          {FORMATS.map((format) => (
            <MenuAction
              key={format}
              onRun={() =>
                void download(format).catch((thrown: unknown) => toastFailed(thrown, texts.downloadFailed))
              }
            >
              {texts.formats[format]}
            </MenuAction>
          ))}
        </ButtonMenu>
      )}
    </>
  );
}
