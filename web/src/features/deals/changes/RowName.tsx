import type { ChangedRow } from '@forecourt/contract/deal-changes';
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatMonth } from '../../../platform/formats.ts';
import { paths } from '../../../platform/paths.ts';
import { texts } from '../../../texts/changes.ts';

type RowNameProps = {
  of: Pick<ChangedRow, '_id' | 'customerName' | 'dealershipName' | 'month' | 'isDeleted'>;
};

/** The name of a row with the link to its page, unless it was deleted, and its dealership and month. */
export function RowName({ of }: RowNameProps): ReactNode {
  const { _id, customerName = texts.unnamed, dealershipName, month, isDeleted } = of;
  return (
    <>
      {isDeleted ? (
        <>
          {customerName} <span className="ui-muted">({texts.isDeleted})</span>
        </>
      ) : (
        <Anchor renderRoot={(props) => <Link {...props} to={paths.deal(_id)} />} inherit underline="always">
          {customerName}
        </Anchor>
      )}
      <span className="ui-sub">
        {[dealershipName, formatMonth(month)].filter((part) => part !== undefined).join(', ')}
      </span>
    </>
  );
}
