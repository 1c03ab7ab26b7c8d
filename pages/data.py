"""Your data: bring runs and judgements; what is wrong with them, and what do they show?"""

from ui import shell
from ui.data.view import your_data

with shell.page("data"):
    your_data()
