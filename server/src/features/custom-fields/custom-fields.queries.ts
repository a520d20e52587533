import type { CustomFieldType, CustomKey, CustomValue } from '@forecourt/contract/custom-field-types';
import type { CustomField, CustomFieldOption } from '@forecourt/contract/custom-fields';
import type { Db, Tx } from '../../platform/db/database.ts';

export type CustomFieldDefinition = Omit<CustomField, '_id' | 'defaultValue'> & {
  id: string;
  defaultValue: CustomValue | null;
};

/** The fields that a viewer may see in display order, and the names of all users by id, to which values refer. */
export type VisibleFields = {
  fields: readonly CustomFieldDefinition[];
  people: ReadonlyMap<string, string>;
};

/** Returns all fields in display order, including retired ones. */
export const listCustomFields = (db: Db | Tx): Promise<CustomFieldDefinition[]> =>
  db
    .selectFrom('custom_fields')
    .select([
      'id',
      'name',
      'help',
      'is_required as isRequired',
      'active',
      'position as order',
      'version',
      'created_at as createdAt',
      'updated_at as updatedAt',
    ])
    .select((eb) => [
      eb.ref('key').$castTo<CustomKey>().as('key'),
      eb.ref('type').$castTo<CustomFieldType>().as('type'),
      eb.ref('options').$castTo<CustomFieldOption[]>().as('options'),
      eb.ref('default_value').$castTo<CustomValue | null>().as('defaultValue'),
      eb.ref('visible_to').$castTo<CustomField['visibleTo']>().as('visibleTo'),
      eb.ref('editable_by').$castTo<CustomField['editableBy']>().as('editableBy'),
    ])
    .orderBy('position')
    .orderBy('id')
    .execute();
