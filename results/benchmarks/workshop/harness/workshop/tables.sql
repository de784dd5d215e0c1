-- One table a kind of thing. A thing has an id, and a name that a person gave it.
CREATE TABLE IF NOT EXISTS supplier (
    id TEXT PRIMARY KEY, name TEXT NOT NULL,
    email TEXT NOT NULL DEFAULT '', phone TEXT NOT NULL DEFAULT '',
    lead_time_days INTEGER NOT NULL DEFAULT 7
);
CREATE TABLE IF NOT EXISTS part (
    id TEXT PRIMARY KEY, name TEXT NOT NULL,
    stock INTEGER NOT NULL DEFAULT 0 CHECK (stock >= 0),
    minimum_stock INTEGER NOT NULL DEFAULT 0,
    unit_price_cents INTEGER NOT NULL DEFAULT 0,
    shelf_code TEXT NOT NULL DEFAULT '',
    supplier TEXT REFERENCES supplier (id) ON DELETE SET NULL
);
CREATE TABLE IF NOT EXISTS customer (
    id TEXT PRIMARY KEY, name TEXT NOT NULL,
    email TEXT NOT NULL DEFAULT '', phone TEXT NOT NULL DEFAULT '', city TEXT NOT NULL DEFAULT ''
);
CREATE TABLE IF NOT EXISTS machine (
    id TEXT PRIMARY KEY, name TEXT NOT NULL,
    serial_number TEXT NOT NULL DEFAULT '', bay_code TEXT NOT NULL DEFAULT '',
    status TEXT NOT NULL DEFAULT 'ready' CHECK (status IN ('ready', 'in_repair', 'out_of_order')),
    meter_hours INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS "order" (
    id TEXT PRIMARY KEY, name TEXT NOT NULL,
    customer TEXT NOT NULL REFERENCES customer (id),
    machine TEXT REFERENCES machine (id) ON DELETE SET NULL,
    priority TEXT NOT NULL DEFAULT 'normal' CHECK (priority IN ('low', 'normal', 'urgent')),
    status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'done', 'cancelled')),
    due_date TEXT
);
CREATE TABLE IF NOT EXISTS used (
    "order" TEXT NOT NULL REFERENCES "order" (id) ON DELETE CASCADE,
    part TEXT NOT NULL REFERENCES part (id),
    quantity INTEGER NOT NULL CHECK (quantity > 0),
    PRIMARY KEY ("order", part)
);
CREATE TABLE IF NOT EXISTS invoice (
    id TEXT PRIMARY KEY, name TEXT NOT NULL,
    "order" TEXT NOT NULL REFERENCES "order" (id),
    amount_cents INTEGER NOT NULL DEFAULT 0,
    status TEXT NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'sent', 'paid', 'void')),
    due_date TEXT
);
CREATE TABLE IF NOT EXISTS shift (
    id TEXT PRIMARY KEY, name TEXT NOT NULL,
    worker TEXT NOT NULL DEFAULT '', on_date TEXT NOT NULL DEFAULT '2026-01-01',
    starts_at TEXT NOT NULL DEFAULT '08:00', ends_at TEXT NOT NULL DEFAULT '16:00'
);
CREATE TABLE IF NOT EXISTS note (
    id TEXT PRIMARY KEY, name TEXT NOT NULL,
    about TEXT, body TEXT NOT NULL DEFAULT '',
    pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1))
);
