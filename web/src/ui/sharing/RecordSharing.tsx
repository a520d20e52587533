import type { RouteKey } from '@forecourt/contract/api';
import type { UserPermissions } from '@forecourt/contract/permissions';
import type { ReactNode } from 'react';
import { useCall } from '../../platform/read-query.ts';
import { ShareDialog, type SharedRecord } from './ShareDialog.tsx';
import { readAndWrite } from './shares.ts';
import { TransferDialog } from './TransferDialog.tsx';
import type { WarningOf } from './use-level-warning.ts';

type Level = 'read' | 'write';

type RecordSharingProps = {
  kind: 'share' | 'transfer';
  record: SharedRecord<Level> & { readonly _id: string; readonly name: string };
  texts: {
    shared: (people: number) => string;
    transferred: string;
    editsAnyway: (name: string) => string;
    editsOnlyThis: (name: string) => string;
    cannotOpenList: (name: string) => string;
  };
  /** Whether a user who is not an administrator sees the list of these records, and may change all of them. */
  rightsOf: (record: UserPermissions) => { opensList: boolean; editsAll: boolean };
  calls: {
    key: readonly string[];
    share: Exclude<
      Extract<RouteKey, `PUT /${string}/:id/sharing`>,
      `PUT /${'deals' | 'dealerships'}/:id/sharing`
    >;
    transfer: Extract<RouteKey, `POST /${string}/transfer-ownership`>;
  };
  onClose: () => void;
};

/** Shares or transfers an item or a template, for its owner or an administrator. */
export function RecordSharing(props: RecordSharingProps): ReactNode {
  const { kind, record, texts, rightsOf, calls, onClose } = props;
  const { _id: id, name } = record;
  const { mutateAsync: share } = useCall(calls.key, calls.share);
  const { mutateAsync: transfer } = useCall(calls.key, calls.transfer);
  const warningOf: WarningOf<Level> = (permissions, user, level) => {
    const isAdmin = permissions.role === 'admin';
    const rights = rightsOf(permissions);
    const editsAll = isAdmin || rights.editsAll;
    if (level === 'read') return editsAll ? texts.editsAnyway(user) : undefined;
    if (!isAdmin && !rights.opensList) return texts.cannotOpenList(user);
    return editsAll ? undefined : texts.editsOnlyThis(user);
  };

  return kind === 'share' ? (
    <ShareDialog
      what={name}
      levels={readAndWrite}
      records={[record]}
      warningOf={warningOf}
      submit={async (sharedWith, version) => {
        await share({ params: { id }, body: { sharedWith, version } });
        return texts.shared(sharedWith.length);
      }}
      onClose={onClose}
    />
  ) : (
    <TransferDialog
      what={name}
      records={[record]}
      submit={async (shares) => {
        await transfer({ body: { resourceIds: [id], ...shares } });
        return texts.transferred;
      }}
      onClose={onClose}
    />
  );
}
