import type { ChangedRow, ChangeSet } from '@forecourt/contract/deal-changes';
import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, useState, type ReactNode } from 'react';
import { useTimeZone } from '../../../platform/deal-options.ts';
import { formatDateTime } from '../../../platform/formats.ts';
import { paths } from '../../../platform/paths.ts';
import { texts } from '../../../texts/changes.ts';
import { texts as revertTexts } from '../../../texts/deal-revert.ts';
import { abilityText } from '../../../ui/ability.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { ValueChanges } from '../../../ui/ChangeEntry.tsx';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { Loaded } from '../../../ui/Loaded.tsx';
import { Pager } from '../../../ui/Pager.tsx';
import { SideDrawer } from '../../../ui/SideDrawer.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { describeChange } from '../history/change-texts.ts';
import { titleOf } from './change-set-title.ts';
import { changeSetQuery } from './changes.queries.ts';
import { RowName } from './RowName.tsx';
import styles from './ChangeSetDrawer.module.css';

const RevertDialog = lazyPart(() => import('./RevertDialog.tsx'));

type ChangeSetDrawerProps = {
  id: string;
  /** Shows the set's own rows, even if it was redone. */
  isAlone: boolean;
  onClose: () => void;
};

/** A change set as a table with a line per row and its values before and after. */
export function ChangeSetDrawer({ id, isAlone, onClose }: ChangeSetDrawerProps): ReactNode {
  const timeZone = useTimeZone();
  const [page, setPage] = useState(1);
  const query = useQuery(changeSetQuery(id, page, isAlone));
  const { data } = query;
  const [isReverting, setReverting] = useState(false);
  if (isReverting) {
    return (
      <Suspense>
        <RevertDialog id={id} onClose={() => setReverting(false)} />
      </Suspense>
    );
  }
  return (
    <SideDrawer title={data ? titleOf(data.changeSet) : texts.title} width={760} onClose={onClose}>
      <Loaded of={query} message={texts.rowsFailed}>
        {data && (
          <>
            <p className="ui-muted ui-mb-3">
              {data.changeSet.byName}, {formatDateTime(data.changeSet.at, timeZone)},{' '}
              {texts.kinds[data.changeSet.kind]} <StateBadge of={data.changeSet} />
              {!isAlone && data.changeSet.state !== null && (
                <>
                  {' '}
                  <Anchor
                    renderRoot={(props) => <Link {...props} to={paths.changes} search={{ of: id }} />}
                    inherit
                    underline="always"
                  >
                    {texts.steps}
                  </Anchor>
                </>
              )}
            </p>
            <ActionButton
              className="ui-mb-3"
              variant="default"
              ability={abilityText(data.changeSet.abilities.revert, revertTexts.mayNot)}
              onClick={() => setReverting(true)}
            >
              {revertTexts.open}
            </ActionButton>
            {data.items.length > 0 && (
              <table className={`ui-table ${styles.rows}`} aria-label={texts.rows}>
                <thead>
                  <tr>
                    <th scope="col">{texts.row}</th>
                    <th scope="col">{texts.changed}</th>
                  </tr>
                </thead>
                <tbody>
                  {data.items.map((row) => (
                    <RowChanges key={row._id} row={row} timeZone={timeZone} />
                  ))}
                </tbody>
              </table>
            )}
            <Pager
              page={data.page}
              limit={data.limit}
              total={data.total}
              isStale={query.isPlaceholderData}
              onPage={setPage}
            />
            {data.hidden > 0 && <p className="ui-muted ui-mt-3">{texts.hidden(data.hidden)}</p>}
          </>
        )}
      </Loaded>
    </SideDrawer>
  );
}

/** Whether a set was undone or redone. The kind of an undo already says so. */
export const StateBadge = ({ of: { kind, state } }: { of: ChangeSet }): ReactNode =>
  state !== null &&
  !(kind === 'undo' && state === 'undone') && <StatusBadge>{texts.states[state]}</StatusBadge>;

function RowChanges({ row, timeZone }: { row: ChangedRow; timeZone: string }): ReactNode {
  const { actions, changes } = row;
  const isNew = actions.includes('created');
  const others = actions.filter((action) => action !== 'updated');
  return (
    <tr>
      <th scope="row">
        <RowName of={row} />
      </th>
      <td>
        {changes.length === 0 && others.length === 0 && <p className="ui-muted">{texts.changedBack}</p>}
        {others.length > 0 && <p>{others.map((action) => texts.done[action] ?? action).join(', ')}</p>}
        <ValueChanges changes={changes.map((change) => describeChange(change, isNew, timeZone))} />
      </td>
    </tr>
  );
}
