const plural = (count: number): string => (count === 1 ? '1 deal' : `${count} deals`);

/** Texts of the Item Configuration screen (docs/product/items-and-statuses.md, Items). */
export const texts = {
  title: 'Item Configuration',
  note: 'The items you sell, in the order of the list when you add one to a deal.',
  table: 'Items',
  add: 'Add Item',
  edit: 'Edit Item',
  empty: 'No items available',
  emptyNext: 'Add what you sell: deals take their items, with name and price, from this list.',
  loadFailed: 'Failed to load items. Please refresh the page.',

  name: 'Name',
  category: 'Category',
  price: 'Price',
  cost: 'Cost',
  status: 'Status',
  active: 'Active',
  inactive: 'Inactive',
  usage: 'Deals',
  open: 'Not set',
  sharedWithYou: (level: string) => `You (${level})`,

  reasons: {
    NO_ITEM_EDIT: 'You do not have permission to edit this item',
    NO_ITEM_DELETE: 'You do not have permission to delete this item',
    NOT_ITEM_OWNER: 'Only the owner and administrators can share or transfer this item',
  },
  noReorder: 'You do not have permission to change the order of items',
  inUse: (count: number) => `This item is in ${plural(count)}. Deactivate it instead.`,

  categoryHint: 'Groups items of one kind, such as Protection.',
  priceHint: 'The price in new deals. Existing deals keep their price.',
  costHint: 'What you pay. Everyone who can see this list can see it.',
  activeHint: 'Inactive items are not offered for new deals.',

  created: 'Item added successfully',
  updated: 'Item updated successfully',
  activated: 'Item activated successfully',
  deactivated: 'Item deactivated successfully',
  statusFailed: 'Failed to update item status',
  saveFailed: 'Failed to save item. Please try again.',
  orderFailed: 'Failed to change the order of items',

  deleteTitle: 'Delete Item',
  deleteQuestion: 'Are you sure you want to delete this item? This action cannot be undone.',
  delete: 'Delete',
  deleted: 'Item deleted successfully',
  deleteFailed: 'Failed to delete item. Please try again.',

  shared: (people: number) =>
    people === 0
      ? 'Successfully removed all sharing from the item'
      : `Successfully shared the item with ${people} user(s)`,
  transferred: 'Successfully transferred the item',
  editsAnyway: (name: string) => `${name} may edit all items anyway.`,
  editsOnlyThis: (name: string) => `${name} may not edit other items.`,
  cannotOpenList: (name: string) => `${name} may edit this item, but cannot open Item Configuration.`,
} as const;
