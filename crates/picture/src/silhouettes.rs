//! The silhouettes of the pieces, our own.
//!
//! The foot of a piece is at (0, 0); one square is 100 wide, `y` grows downwards, and no piece is
//! higher than 90. `body` is filled and outlined; `detail` is drawn upon it in the colour of the outline.

use tridex_rules::Role;

/// The paths of one kind of piece.
pub(crate) struct Silhouette {
    /// The silhouette.
    pub(crate) body: &'static str,
    /// Lines upon it.
    pub(crate) detail: &'static str,
}

const PAWN: Silhouette = Silhouette {
    body: "M-25 0H25V-5C25-9 22-11 19-13C12-19 10-28 9-37H15V-43H8A14.5 14.5 0 1 0-8-43H-15V-37H-9C-10-28-12-19-19-13\
           C-22-11-25-9-25-5Z",
    detail: "M-18-13H18M-8-43H8",
};

const KNIGHT: Silhouette = Silhouette {
    body: "M-27 0H27V-6C27-10 25-12 22-13C27-42 20-70-2-77L-7-85-12-74C-21-70-25-61-28-51L-34-38C-36-32-29-25-23-30\
           L-16-35C-11-35-5-37-1-43C0-33-14-27-18-13C-24-12-27-10-27-6Z",
    detail: "M-18-13H22M-2-72C13-65 18-48 16-26M-15-57H-11M-29-36L-26-38",
};

const BISHOP: Silhouette = Silhouette {
    body: "M-27 0H27V-6C27-10 24-12 20-13C12-14 10-17 9-25H15V-31H11C20-37 23-46 18-55C14-63 9-67 4-71A7 7 0 1 0-4-71\
           C-9-67-14-63-18-55C-23-46-20-37-11-31H-15V-25H-9C-10-17-12-14-20-13C-24-12-27-10-27-6Z",
    detail: "M-20-13H20M-11-31H11M0-61V-41M-8-51H8",
};

const ROOK: Silhouette = Silhouette {
    body: "M-28 0H28V-6C28-10 25-12 22-13L18-19 15-49 24-56V-75H14V-67H5.5V-75H-5.5V-67H-14V-75H-24V-56L-15-49-18-19\
           -22-13C-25-12-28-10-28-6Z",
    detail: "M-22-13H22M-18-19H18M-15-49H15M-24-56H24",
};

const QUEEN: Silhouette = Silhouette {
    body: "M-29 0H29V-6C29-10 26-12 23-13C18-18 18-23 21-32L34-63A4.5 4.5 0 1 0 29-66L20-47 18.5-72A4.5 4.5 0 1 0 13-73\
           L8-49 2.5-77A4.5 4.5 0 1 0-2.5-77L-8-49-13-73A4.5 4.5 0 1 0-18.5-72L-20-47-29-66A4.5 4.5 0 1 0-34-63L-21-32\
           C-18-23-18-18-23-13C-26-12-29-10-29-6Z",
    detail: "M-23-13H23M-21-32C-10-27 10-27 21-32M-19-22C-9-18 9-18 19-22",
};

const KING: Silhouette = Silhouette {
    body: "M-29 0H29V-6C29-10 26-12 23-13C19-17 19-21 20-28C37-38 39-55 28-61C19-65 9-62 4-55V-71H12V-78H4V-88H-4V-78\
           H-12V-71H-4V-55C-9-62-19-65-28-61C-39-55-37-38-20-28C-19-21-19-17-23-13C-26-12-29-10-29-6Z",
    detail: "M-23-13H23M-20-28C-9-23 9-23 20-28M0-55V-27",
};

/// The paths of a kind.
pub(crate) const fn silhouette(role: Role) -> &'static Silhouette {
    match role {
        Role::Pawn => &PAWN,
        Role::Knight => &KNIGHT,
        Role::Bishop => &BISHOP,
        Role::Rook => &ROOK,
        Role::Queen => &QUEEN,
        Role::King => &KING,
    }
}
